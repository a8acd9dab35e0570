"""The rows that exist once: both cursors and the revision counters."""

from django.db import migrations

ONCE = ("ExtractCursor", "SummariseCursor", "MemoryRevision")


def make_rows(apps, schema_editor):
    for name in ONCE:
        apps.get_model("memory", name).objects.using(schema_editor.connection.alias).get_or_create(pk=1)


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [migrations.RunPython(make_rows, migrations.RunPython.noop)]
