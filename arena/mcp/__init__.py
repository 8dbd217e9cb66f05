"""Our tools over MCP: one server of a menu, the door of a lane, and the bridge that a program starts."""
