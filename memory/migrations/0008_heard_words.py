"""Hashes of the sentences that were heard, so that they are known again when they come back in another message."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_audit_search_cjk")]

    operations = [
        migrations.CreateModel(
            name="HeardWords",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "hash", "chat_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("hash", models.BigIntegerField()),
                ("chat_id", models.BigIntegerField()),
            ],
            options={"db_table": "heard_words"},
        ),
    ]
