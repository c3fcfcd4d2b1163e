{{/* Parts of the rights of the gateway's account. */}}

{{- define "gateway.roleKind" -}}
{{- ternary "ClusterRole" "Role" .Values.rbac.clusterWide -}}
{{- end -}}

{{/* Objects without a namespace share their names with those of all other releases. */}}
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
