"""Addresses of the arena's sockets."""

from __future__ import annotations

from django.urls import path, re_path

from arena.live.consumer import NoSuchSocket, RunConsumer

websocket_urlpatterns = [
    path("ws/runs/<str:public_id>/", RunConsumer.as_asgi()),
    re_path("", NoSuchSocket.as_asgi()),
]
