"""Facts that end or run out, and claims that wait for the operator's review."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_operator_ids")]

    # Nullable columns are added in place on both engines.
    operations = [
        migrations.AddField(
            model_name="personalfact",
            name="retired_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="personalfact",
            name="valid_until",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="WaitingFact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("claim_hash", models.CharField(max_length=64, unique=True)),
                ("key", models.TextField()),
                ("value", models.TextField(blank=True)),
                ("confidence", models.FloatField(default=1.0)),
                ("quote", models.TextField(blank=True)),
                ("said_at", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                ("valid_until", models.DateField(blank=True, null=True)),
                ("dropped_at", models.DateTimeField(blank=True, null=True)),
                (
                    "row",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memory.auditrow",
                    ),
                ),
                (
                    "source_audit",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memory.auditrow",
                    ),
                ),
            ],
            options={
                "db_table": "waiting_facts",
                "verbose_name": "waiting fact",
                "indexes": [
                    models.Index(
                        condition=models.Q(("dropped_at__isnull", True)), fields=["id"], name="idx_waiting_facts_open"
                    )
                ],
            },
        ),
    ]
