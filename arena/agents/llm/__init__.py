"""The agent `llm`: a language model of any provider. pydantic-ai speaks to the provider, the lane keeps the tools."""
