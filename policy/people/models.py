"""Who acts, with which keys and tokens, and what they chose: the lowest models of all."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class Role(models.TextChoices):
    READER = "reader", "Reader"
    MEMBER = "member", "Member"
    OPERATOR = "operator", "Operator"


class User(AbstractUser):
    """A person. In local mode there is exactly one, `local`, who may do everything."""

    role = models.CharField(max_length=16, choices=Role, default=Role.MEMBER)


class ProviderKey(models.Model):
    """A person's key to a provider. `sealed` is opened with the site's master key only; the rest is for people."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    provider = models.CharField(max_length=40)
    sealed = models.TextField(help_text="A Fernet token over the person, the provider and the key.")
    last_four = models.CharField(max_length=4, blank=True, help_text="Blank for a key so short that four would tell.")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["provider"]
        constraints = [models.UniqueConstraint(fields=["user", "provider"], name="key_per_provider_once")]

    def __str__(self) -> str:
        return f"key of {self.provider}"


class Scope(models.TextChoices):
    """What a token may do; none includes another."""

    READ = "read", "Read"
    JUDGE = "judge", "Ask judges"
    WRITE = "write", "Start and stop"


class ApiToken(models.Model):
    """A program's way in, as a person. Only the SHA-256 of it is kept; `prefix` is its name in addresses and logs."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=16, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True, help_text="Exact to a minute.")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"token {self.prefix}"


class AuditEntry(models.Model):
    """Who changed what about keys, tokens, judges and allowances, and when; never a secret."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    user = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+", help_text="Null: a command.")
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}".strip()


class Purpose(models.TextChoices):
    """What a judge is asked for."""

    ARENA = "arena", "Arena"
    CALIBRATION = "calibration", "Calibration"
    API = "api", "API"


class JudgeChoice(models.Model):
    """The judge and model that a person chose for a purpose. A blank model is the one that the judge recommends."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    purpose = models.CharField(max_length=16, choices=Purpose)
    judge = models.CharField(max_length=40)
    model = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "purpose"], name="judge_per_purpose_once")]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.judge} {self.model}".strip()


class AgentChoice(models.Model):
    """The language model that a person's agents take unless an order names another."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="+")
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=160)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


class Connection(models.Model):
    """Where a person's provider is and what it has: a base address or an account, and the models it listed last."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    provider = models.CharField(max_length=40)
    base_url = models.CharField(max_length=2048, blank=True)
    account = models.CharField(max_length=64, blank=True)
    models_listed = models.JSONField(default=list)
    listed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "provider"], name="connection_per_provider_once")]

    def __str__(self) -> str:
        return f"{self.provider} {self.base_url}".strip()


class Health(models.Model):
    """How a judge did for a person lately; the far side's words are without secrets and short. Null is unknown."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    judge = models.CharField(max_length=40)
    answered_at = models.DateTimeField(null=True)
    latency_ms = models.FloatField(null=True, help_text="Of the last answer.")
    failed_at = models.DateTimeField(null=True)
    failure_code = models.CharField(max_length=24, blank=True)
    http_status = models.PositiveIntegerField(null=True)
    failure_message = models.TextField(blank=True)
    checked_at = models.DateTimeField(null=True, help_text="When somebody last pressed Check.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "judge"], name="health_per_judge_once")]

    def __str__(self) -> str:
        return f"{self.judge} {self.failure_code}".strip()


class Allowances(models.Model):
    """What the operator allows on this site; one row, the cautious answer where there is none."""

    private_addresses = models.BooleanField(default=False, help_text="Judges inside private networks.")
    site_keys_for_all = models.BooleanField(default=True, help_text="Members may use its own keys.")

    def __str__(self) -> str:
        return "allowances"
