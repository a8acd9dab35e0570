"""The switch that pauses learning, and its one row."""

from django.db import migrations, models


def make_row(apps, schema_editor):
    apps.get_model("memory", "LearningSwitch").objects.using(schema_editor.connection.alias).get_or_create(pk=1)


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_audit_search")]

    operations = [
        migrations.CreateModel(
            name="LearningSwitch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "learning switch",
                "verbose_name_plural": "learning switch",
                "db_table": "memory_learning_switch",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="memory_learning_switch_one_row")
                ],
            },
        ),
        migrations.RunPython(make_row, migrations.RunPython.noop),
    ]
