"""HTTP and WebSocket routing."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
pages = get_asgi_application()

from arena.live import routing  # noqa: E402  (models need the app registry that the line above fills)
from jevsite.bounded import BoundedBodies  # noqa: E402
from jevsite.sockets import AccessGuard  # noqa: E402
from policy.judges.gguf import server  # noqa: E402

# A model takes hundreds of MB and every core; whoever looks at a page must not wait for that.
server.forbid(
    "The judge gguf answers in workers only: use it in a comparison, in a measurement or with a command of manage.py."
)

application = ProtocolTypeRouter(
    {"http": BoundedBodies(pages), "websocket": AccessGuard(URLRouter(routing.websocket_urlpatterns))}
)
