{{/* Permissions of the gateway's account. */}}

{{- define "gateway.roleKind" -}}
{{- ternary "ClusterRole" "Role" .Values.rbac.clusterWide -}}
{{- end -}}

{{/* Names of cluster-scoped objects are shared by all releases. */}}
{{- define "gateway.roleName" -}}
{{- if .Values.rbac.clusterWide -}}
{{- printf "%s-%s" .Release.Namespace (include "library.fullname" .) -}}
{{- else -}}
{{- include "library.fullname" . -}}
{{- end -}}
{{- end -}}

{{- define "gateway.accountSubject" -}}
- kind: ServiceAccount
  name: {{ include "library.serviceAccountName" . | quote }}
  namespace: {{ quote .Release.Namespace }}
{{- end -}}
