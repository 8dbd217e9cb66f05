"""Who acts: the custom user model, from the first migration."""

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
