{{/* Names and labels of a chart. Each takes the root context. */}}

{{/* The chart's name, or nameOverride: at most 63 characters. */}}
{{- define "library.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/*
Name of the objects: fullnameOverride, else the release name when it contains the chart name, else release and chart name.
*/}}
{{- define "library.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A text as the value of a label: without the "+" of a build, at most 63 characters, the last a letter or digit. */}}
{{- define "library.labelValue" -}}
{{- regexReplaceAll "[^A-Za-z0-9]+$" (replace "+" "_" . | trunc 63) "" -}}
{{- end -}}

{{- define "library.selectorLabels" -}}
app.kubernetes.io/name: {{ include "library.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "library.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | include "library.labelValue" }}
{{ include "library.selectorLabels" . }}
app.kubernetes.io/version: {{ include "library.labelValue" .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* The metadata fields that most objects of a release share. */}}
{{- define "library.metadata" -}}
name: {{ include "library.fullname" . | quote }}
namespace: {{ .Release.Namespace | quote }}
labels:
  {{- include "library.labels" . | nindent 2 }}
{{- end -}}

{{/*
Metadata of an additional object: `dict "root" $ "values" .Values.ingress`. Labels and annotations of the optional values are added; name and namespace take precedence.
*/}}
{{- define "library.metadataWith" -}}
{{- $values := default dict .values -}}
name: {{ default (include "library.fullname" .root) $values.name | quote }}
namespace: {{ default .root.Release.Namespace $values.namespace | quote }}
labels:
  {{- merge (dict) (default dict $values.labels) (include "library.labels" .root | fromYaml) | include "library.yaml" | nindent 2 }}
{{- with $values.annotations }}
annotations:
  {{- include "library.yaml" . | nindent 2 }}
{{- end }}
{{- end -}}
