{{/* Returns `true` when the gateway is a tool of the agent, otherwise nothing. */}}
{{- define "agent.hasGateway" -}}
{{- if and (.Values.muster).enabled (ne (toJson .Values.toolset) "[\"preset:none\"]") -}}
true
{{- end -}}
{{- end -}}

{{/*
The tool entry of the gateway, as JSON. The header belongs to the entry; the agent runtime does not accept it inside `mcpServer`.
*/}}
{{- define "agent.gatewayTool" -}}
{{- $muster := .Values.muster -}}
{{- $server := merge (dict "allowedHeaders" $muster.allowedHeaders) $muster.serverRef -}}
{{- with $muster.toolNames -}}
{{- $_ := set $server "toolNames" . -}}
{{- end -}}
{{- $entry := dict "type" "McpServer" "mcpServer" $server -}}
{{- with .Values.toolset -}}
{{- $header := dict "name" (include "agent.toolsetHeader" $) "value" (join "," .) -}}
{{- $_ := set $entry "headersFrom" (list $header) -}}
{{- end -}}
{{- toJson $entry -}}
{{- end -}}

{{- define "agent.deployment" -}}
{{- $env := list -}}
{{- if (.Values.muster).enabled -}}
{{- $env = append $env (dict "name" "KAGENT_PROPAGATE_TOKEN" "value" "true") -}}
{{- with .Values.muster.stsWellKnownUri -}}
{{- $env = append $env (dict "name" "STS_WELL_KNOWN_URI" "value" .) -}}
{{- end -}}
{{- end -}}
{{- $deployment := dict "replicas" (int .Values.replicas) "resources" .Values.resources -}}
{{- range $key, $value := dict "env" $env "nodeSelector" .Values.nodeSelector "tolerations" .Values.tolerations -}}
{{- with $value -}}
{{- $_ := set $deployment $key . -}}
{{- end -}}
{{- end -}}
{{- toJson $deployment -}}
{{- end -}}

{{/* The field `declarative`, as JSON. */}}
{{- define "agent.declarative" -}}
{{- $tools := .Values.extraTools | default list -}}
{{- if include "agent.hasGateway" . -}}
{{- $tools = prepend $tools (include "agent.gatewayTool" . | fromJson) -}}
{{- end -}}
{{- $declarative := dict
  "runtime" .Values.agent.runtime
  "modelConfig" .Values.modelConfig.name
  "systemMessage" (regexReplaceAll "\n+$" .Values.agent.systemMessage "")
  "deployment" (include "agent.deployment" . | fromJson)
-}}
{{- with $tools -}}
{{- $_ := set $declarative "tools" . -}}
{{- end -}}
{{- toJson $declarative -}}
{{- end -}}

{{/* The `spec` as JSON: the values, with extraAgentSpec merged over them. */}}
{{- define "agent.spec" -}}
{{- $spec := dict "type" "Declarative" "declarative" (include "agent.declarative" . | fromJson) -}}
{{- range $key := list "description" "iconUrl" -}}
{{- with get $.Values.agent $key -}}
{{- $_ := set $spec $key . -}}
{{- end -}}
{{- end -}}
{{- $skills := dict -}}
{{- range $key := list "refs" "gitRefs" -}}
{{- with get $.Values.skills $key -}}
{{- $_ := set $skills $key . -}}
{{- end -}}
{{- end -}}
{{- if $skills -}}
{{- with (.Values.skills.gitAuthSecretRef).name -}}
{{- $_ := set $skills "gitAuthSecretRef" (dict "name" .) -}}
{{- end -}}
{{- $_ := set $spec "skills" $skills -}}
{{- end -}}
{{- include "agent.merge" (dict "into" $spec "over" .Values.extraAgentSpec) -}}
{{- toJson $spec -}}
{{- end -}}
