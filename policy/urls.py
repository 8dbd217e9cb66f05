"""Addresses of the pages about judging."""

from __future__ import annotations

from django.urls import include, path

from policy.lab import pages as lab
from policy.pages import agents, local_judge, settings, tokens

app_name = "policy"
urlpatterns = [
    path("judges/local/", local_judge.local_judge, name="local-judge"),
    path("settings/", settings.keys, name="settings"),
    path("settings/keys/<slug:provider>/", settings.save_key, name="save-key"),
    path("settings/keys/<slug:provider>/remove/", settings.remove_key, name="remove-key"),
    path("settings/where/<slug:provider>/", settings.connect, name="connect"),
    path("settings/check/<slug:judge>/", settings.check, name="check-judge"),
    path("settings/judges/", settings.choose, name="choose-judges"),
    path("settings/allowances/", settings.allow, name="allow"),
    path("settings/agents/", agents.agents, name="agents"),
    path("settings/agents/model/", agents.choose, name="choose-agent-model"),
    path("settings/agents/<slug:house>/key/", agents.save_key, name="save-agent-key"),
    path("settings/agents/<slug:house>/key/remove/", agents.remove_key, name="remove-agent-key"),
    path("settings/agents/<slug:house>/where/", agents.connect, name="connect-agent"),
    path("settings/agents/<slug:house>/check/", agents.check, name="check-agent"),
    path("settings/tokens/", tokens.tokens, name="tokens"),
    path("settings/tokens/<slug:prefix>/revoke/", tokens.revoke, name="revoke-token"),
    path("usage/", include("policy.usage.urls")),
    path("calibration/", include("policy.calibrating.urls")),
    path("policy/", lab.lab, name="lab-start"),
    path("policy/<slug:key>/", lab.lab, name="lab"),
]
