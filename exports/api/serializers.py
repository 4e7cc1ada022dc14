from rest_framework import serializers

from annotate.models import Project
from exports.models import Release


class ProjectSerializer(serializers.ModelSerializer):
    dataset = serializers.SlugRelatedField("slug", read_only=True)
    taxonomy = serializers.SerializerMethodField(help_text="slug and version, as in agentrx v1")
    roles = serializers.SerializerMethodField(help_text="the caller's own")

    class Meta:
        model = Project
        fields = ["slug", "name", "dataset", "protocol", "taxonomy", "overlap", "roles", "created_at", "closed_at"]
        read_only_fields = fields

    def get_taxonomy(self, project) -> str:
        return str(project.taxonomy_version)

    def get_roles(self, project) -> list[str]:
        return sorted(membership.role for membership in project.own_memberships)


class ReleaseSerializer(serializers.ModelSerializer):
    project = serializers.SlugRelatedField("slug", read_only=True)

    class Meta:
        model = Release
        fields = ["project", "name", "labels", "sha256", "at"]
        read_only_fields = fields


class ReleaseDetailSerializer(ReleaseSerializer):
    manifest = serializers.SerializerMethodField()

    class Meta(ReleaseSerializer.Meta):
        fields = [*ReleaseSerializer.Meta.fields, "manifest"]
        read_only_fields = fields

    def get_manifest(self, release) -> dict:
        return self.context["manifest"]


class NewReleaseSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=60)


class LeftOutSerializer(serializers.Serializer):
    source = serializers.CharField()
    trajectory = serializers.JSONField(help_text="in the JSON type it came in")
    why = serializers.CharField()


class SummarySerializer(serializers.Serializer):
    format = serializers.CharField()
    records = serializers.IntegerField()
    sha256 = serializers.CharField()
    left_out = LeftOutSerializer(many=True)
