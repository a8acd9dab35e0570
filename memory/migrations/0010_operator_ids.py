"""The ids by which the operator is known, and the first person seen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_vector_lengths")]

    operations = [
        migrations.CreateModel(
            name="OperatorId",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("root", models.CharField(max_length=128)),
                ("kind", models.CharField(max_length=16)),
                ("value", models.CharField(max_length=128)),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "db_table": "operator_ids",
                "constraints": [
                    models.UniqueConstraint(fields=("root", "kind", "value"), name="operator_id_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="FirstPerson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("root", models.CharField(max_length=128)),
                ("seen_at", models.DateTimeField()),
                ("other_seen_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "memory_first_person",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="memory_first_person_one_row")
                ],
            },
        ),
    ]
