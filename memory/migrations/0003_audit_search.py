"""The full-text index of the audit log, with the rows that are there."""

from django.db import migrations

from memory.models import search


def make_index(apps, schema_editor):
    search.on(schema_editor)


def drop_index(apps, schema_editor):
    search.off(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_first_rows")]

    operations = [migrations.RunPython(make_index, drop_index)]
