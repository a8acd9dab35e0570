"""Whose client brought what: the rows that workers made of a chat get the key of that chat, and an index finds them.

Rows from before keys were noted (0006) stay as they are: nobody knows their client.
"""

from django.db import migrations, models, transaction

ROWS_AT_A_TIME = 10_000
BATCH = """
UPDATE audit_log SET api_key_id = (SELECT chat.api_key_id FROM audit_log AS chat WHERE chat.id = audit_log.chat_id)
WHERE id > %s AND id <= %s AND api_key_id IS NULL AND actor IS NULL AND chat_id IS NOT NULL
  AND event_type <> 'memory.episode.recalled'
  AND EXISTS (SELECT 1 FROM audit_log AS chat WHERE chat.id = audit_log.chat_id AND chat.api_key_id IS NOT NULL)
"""
"""A recall belongs to the turn that it was made for; its `chat_id` is the chat that came back."""


def note_clients(apps, schema_editor):
    """In batches, each in its own transaction: others write meanwhile. A second time it does nothing."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM audit_log")
        newest = cursor.fetchone()[0] or 0
    for after in range(0, newest, ROWS_AT_A_TIME):
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(BATCH, [after, after + ROWS_AT_A_TIME])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("memory", "0014_deleted_episodes"),
    ]

    operations = [
        migrations.RunPython(note_clients, migrations.RunPython.noop, elidable=False),
        migrations.AddIndex(
            model_name="auditrow",
            index=models.Index(
                condition=models.Q(("api_key__isnull", False)),
                fields=["api_key", "event_type", "id"],
                name="idx_audit_client",
            ),
        ),
    ]
