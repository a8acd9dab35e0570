"""The client's name for the conversation that a row belongs to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_learning_switch")]

    # A nullable column is added in place on both engines: the table is not made anew, so the search index stays.
    operations = [
        migrations.AddField(
            model_name="auditrow",
            name="conversation_id",
            field=models.CharField(blank=True, max_length=128, null=True),
        ),
        migrations.AddIndex(
            model_name="auditrow",
            index=models.Index(
                condition=models.Q(("conversation_id__isnull", False)),
                fields=["conversation_id", "id"],
                name="idx_audit_conversation",
            ),
        ),
    ]
