"""The full-text index finds Chinese and Japanese words from the middle of a sentence, in the rows that are there too."""

from django.db import migrations

from memory.models import search


def index_again(apps, schema_editor):
    search.index_cjk_again(schema_editor)


class Migration(migrations.Migration):
    # On PostgreSQL each batch is a transaction of its own, so that no turn waits for all of them.
    atomic = False

    dependencies = [("memory", "0006_key_scopes")]

    operations = [migrations.RunPython(index_again, migrations.RunPython.noop)]
