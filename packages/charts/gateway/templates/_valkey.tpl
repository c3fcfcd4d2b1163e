{{/* The Valkey server of the release. Each takes the root context. */}}

{{- define "gateway.valkey.name" -}}
{{- printf "%s-valkey" (include "library.fullname" . | trunc 56 | trimSuffix "-") -}}
{{- end -}}

{{/* Other labels than those of the gateway, whose Service must not select it. */}}
{{- define "gateway.valkey.selectorLabels" -}}
app.kubernetes.io/name: {{ printf "%s-valkey" (include "library.name" . | trunc 56 | trimSuffix "-") | quote }}
app.kubernetes.io/instance: {{ quote .Release.Name }}
{{- end -}}

{{- define "gateway.valkey.metadata" -}}
name: {{ include "gateway.valkey.name" . | quote }}
namespace: {{ quote .Release.Namespace }}
labels:
  {{- merge (include "gateway.valkey.selectorLabels" . | fromYaml) (include "library.labels" . | fromYaml) | include "library.yaml" | nindent 2 }}
{{- end -}}

{{- define "gateway.valkey.url" -}}
{{- printf "redis://%s:6379" (include "gateway.valkey.name" .) -}}
{{- end -}}

{{/* `muster.state` of config.yaml as JSON: the server of the release, unless another one is named. */}}
{{- define "gateway.state" -}}
{{- $state := deepCopy (.Values.muster.state | default dict) -}}
{{- if .Values.valkey.enabled -}}
{{- $state = merge $state (dict "store" "redis" "url" (include "gateway.valkey.url" .)) -}}
{{- end -}}
{{- toJson $state -}}
{{- end -}}

{{- define "gateway.valkeyProblem" -}}
{{- if .Values.valkey.enabled -}}
{{- $state := default dict .Values.muster.state -}}
{{- if or (eq (toString $state.store) "memory") $state.url -}}
valkey.enabled sets muster.state.store and muster.state.url: omit them, or disable valkey
{{- else if not .Values.stateSecret.existingSecret -}}
valkey.enabled needs the keys state-key and password of a Secret: name it in stateSecret.existingSecret
{{- end -}}
{{- end -}}
{{- end -}}
