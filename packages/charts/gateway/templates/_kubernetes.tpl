{{/* The gateway in a cluster whose objects it reads: `muster.kubernetes`. Each takes the root context. */}}

{{/* Not empty when servers and workflows are objects of the cluster. */}}
{{- define "gateway.readsCluster" -}}
{{- if (.Values.muster.kubernetes).enabled -}}true{{- end -}}
{{- end -}}

{{/* Not empty when the account needs permissions that the chart grants. */}}
{{- define "gateway.grants" -}}
{{- if and .Values.rbac.create (include "gateway.readsCluster" .) -}}true{{- end -}}
{{- end -}}

{{/* Not empty when the records of runs are objects of the cluster. */}}
{{- define "gateway.storesRuns" -}}
{{- if and (include "gateway.readsCluster" .) (not (.Values.muster.workflows).executionsDirectory) -}}true{{- end -}}
{{- end -}}

{{/* The namespace of the gateway, with its Lease, records of runs and new definitions. */}}
{{- define "gateway.ownNamespace" -}}
{{- default .Release.Namespace (.Values.muster.kubernetes).namespace -}}
{{- end -}}

{{/* `muster.kubernetes` of config.yaml as JSON. Each release has a Lease of its own. */}}
{{- define "gateway.kubernetes" -}}
{{- $kubernetes := deepCopy .Values.muster.kubernetes -}}
{{- if not $kubernetes.lease -}}{{- $_ := set $kubernetes "lease" (include "library.fullname" .) -}}{{- end -}}
{{- toJson $kubernetes -}}
{{- end -}}

{{/* Core tools that write, as the gateway resolves them on an address of a pod: all, workflows or none. */}}
{{- define "gateway.writes" -}}
{{- $signsIn := ne (default "none" (.Values.muster.auth).mode) "none" -}}
{{- default (ternary "all" "none" $signsIn) (.Values.muster.coreTools).writes -}}
{{- end -}}

{{/* Where the account has permissions, as a JSON list: each a kind of role, and its namespace unless it is a ClusterRole. */}}
{{- define "gateway.scopes" -}}
{{- $scopes := list -}}
{{- range (.Values.muster.kubernetes).namespaces -}}
{{- $scopes = append $scopes (dict "kind" "Role" "namespace" . "name" (include "library.fullname" $)) -}}
{{- end -}}
{{- if not $scopes -}}
{{- $scopes = list (dict "kind" "ClusterRole" "name" (printf "%s-%s" .Release.Namespace (include "library.fullname" .))) -}}
{{- end -}}
{{- toJson $scopes -}}
{{- end -}}

{{/* Namespaces with Secrets and ConfigMaps of servers, as a JSON list. */}}
{{- define "gateway.secretNamespaces" -}}
{{- default (list (include "gateway.ownNamespace" .)) (.Values.muster.kubernetes).namespaces | toJson -}}
{{- end -}}

{{/* Objects of servers or workflows: `dict "root" $ "kind" "MCPServer" "resources" .Values.mcpservers`. */}}
{{- define "gateway.objects" -}}
{{- $given := . -}}
{{- range $name, $resource := .resources }}
---
{{ include "gateway.document" (dict "root" $given.root "kind" $given.kind "name" $name "resource" (merge (dict "labels" (merge (dict) (default dict $resource.labels) (include "library.labels" $given.root | fromYaml))) $resource)) }}
{{- end }}
{{- end -}}

{{- define "gateway.clusterProblem" -}}
{{- if include "gateway.readsCluster" . -}}
{{- $kubernetes := .Values.muster.kubernetes -}}
{{- $defined := or .Values.mcpservers .Values.workflows -}}
{{- range list "mcpserversFrom" "workflowsFrom" -}}
{{- if index $.Values . -}}
{{- printf "%s are files, and with muster.kubernetes.enabled the gateway reads objects of the cluster: apply them, with envFrom or headersFrom for Secrets\n" . -}}
{{- end -}}
{{- end -}}
{{- if and $defined $kubernetes.namespaces (not (has .Release.Namespace $kubernetes.namespaces)) -}}
{{- printf "mcpservers and workflows are objects of the namespace %q, which muster.kubernetes.namespaces does not name\n" .Release.Namespace -}}
{{- end -}}
{{- if not $kubernetes.allowStdio -}}
{{- range $name := include "gateway.processes" . | fromJsonArray -}}
{{- printf "mcpservers.%s.spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; muster.kubernetes.allowStdio: true permits them\n" $name -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.kubernetesProblem" -}}
{{- include "gateway.clusterProblem" . | splitList "\n" | first -}}
{{- end -}}
