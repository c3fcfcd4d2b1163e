{{/* Name of the Agent: agent.name, else the release; at most 63 characters. */}}
{{- define "agent.name" -}}
{{- default .Release.Name (.Values.agent).name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* A text as the value of a label: without the "+" of a build, at most 63 characters, the last a letter or digit. */}}
{{- define "agent.labelValue" -}}
{{- regexReplaceAll "[^A-Za-z0-9]+$" (replace "+" "_" . | trunc 63) "" -}}
{{- end -}}

{{- define "agent.labels" -}}
{{- $own := dict
  "app" "agent"
  "app.kubernetes.io/name" "agent"
  "app.kubernetes.io/instance" .Release.Name
  "app.kubernetes.io/managed-by" .Release.Service
  "app.kubernetes.io/version" (include "agent.labelValue" .Chart.Version)
  "helm.sh/chart" (printf "%s-%s" .Chart.Name .Chart.Version | include "agent.labelValue")
-}}
{{- include "agent.merge" (dict "into" $own "over" .Values.labels) -}}
{{- include "agent.yaml" $own -}}
{{- end -}}

{{/* Nothing when there is no annotation. */}}
{{- define "agent.annotations" -}}
{{- $domain := default .Values.labelDomain (.Values.global).labelDomain -}}
{{- $own := dict -}}
{{- with (.Values.agent).displayName -}}
{{- $_ := set $own (printf "%s/display-name" $domain) . -}}
{{- end -}}
{{- include "agent.merge" (dict "into" $own "over" .Values.annotations) -}}
{{- if $own -}}
{{- include "agent.yaml" $own -}}
{{- end -}}
{{- end -}}
