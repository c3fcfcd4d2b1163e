{{/* Permissions of the gateway's account. */}}

{{/* Metadata of a role or binding: `dict "root" $ "scope" $scope`. Names of cluster-scoped objects are shared by all releases. */}}
{{- define "gateway.accessMetadata" -}}
name: {{ quote .scope.name }}
{{- with .scope.namespace }}
namespace: {{ quote . }}
{{- end }}
labels:
  {{- include "library.labels" .root | nindent 2 }}
{{- end -}}

{{/* A binding of the account to the role of the same scope: `dict "root" $ "scope" $scope`. */}}
{{- define "gateway.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .scope.kind }}Binding
metadata:
  {{- include "gateway.accessMetadata" . | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .scope.kind }}
  name: {{ quote .scope.name }}
subjects:
  - kind: ServiceAccount
    name: {{ include "library.serviceAccountName" .root | quote }}
    namespace: {{ quote .root.Release.Namespace }}
{{- end -}}

{{/* Rules of objects that the gateway reads, and of what it reports about them. */}}
{{- define "gateway.definitionRules" -}}
{{- $group := include "library.apiGroup" . | quote -}}
{{- $writes := include "gateway.writes" . -}}
{{- $written := ternary (list "mcpservers" "workflows") (ternary (list "workflows") list (eq $writes "workflows")) (eq $writes "all") -}}
- apiGroups: [{{ $group }}]
  resources: [mcpservers, workflows]
  verbs: [get, list, watch]
{{- with $written }}
# Core tools that write definitions.
- apiGroups: [{{ $group }}]
  resources: [{{ join ", " . }}]
  verbs: [create, patch, delete]
{{- end }}
- apiGroups: [{{ $group }}]
  resources: [mcpservers/status, workflows/status]
  verbs: [patch]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [list, create, patch]
{{- end -}}

{{/* One replica is elected. A Lease cannot be named before it exists, so `create` names none. */}}
{{- define "gateway.leaseRules" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames:
    - {{ (include "gateway.kubernetes" . | fromJson).lease | quote }}
  verbs: [get, update, watch]
{{- end -}}

{{/* Records of runs, when they are objects: only the gateway reads and writes them. */}}
{{- define "gateway.runRules" -}}
{{- if include "gateway.storesRuns" . -}}
- apiGroups: [{{ include "library.apiGroup" . | quote }}]
  resources: [workflowexecutions]
  verbs: [get, list, watch, create, patch, delete]
{{- end }}
{{- end -}}

{{/* Rules of Secrets and ConfigMaps that servers name. */}}
{{- define "gateway.referenceRules" -}}
{{- range $resource, $names := dict "secrets" .Values.rbac.secretNames "configmaps" .Values.rbac.configMapNames }}
{{- with $names }}
- apiGroups: ['']
  resources: [{{ $resource }}]
  resourceNames:
    {{- include "library.yaml" . | nindent 4 }}
  {{- if eq $resource "secrets" }}
  # `get` for clientCredentialsSecretRef, the others for envFrom, headersFrom and defaultsFrom, which follow each object by its name.
  verbs: [get, list, watch]
  {{- else }}
  verbs: [list, watch]
  {{- end }}
{{- end }}
{{- end }}
{{- if .Values.rbac.writeSecrets }}
# The names of Secrets that are made for servers are not known before.
- apiGroups: ['']
  resources: [secrets]
  verbs: [get, list, watch, create, update, delete]
{{- end }}
{{- end -}}
