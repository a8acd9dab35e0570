"""Ollama's own chat API."""
