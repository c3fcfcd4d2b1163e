{{/* Returns the first problem across the parts, as one sentence; empty without problems. Each part validates its own values. */}}

{{- define "standalone.problem" -}}
{{- $problem := "" -}}
{{- range list "presets" "names" "servers" "tokenHosts" "portal" -}}
{{- if not $problem -}}
{{- $problem = include (printf "standalone.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "standalone.labelDomain" -}}
{{- default (include "library.defaultLabelDomain" .) (.Values.global).labelDomain -}}
{{- end -}}

{{- define "standalone.presetsProblem" -}}
{{- $presets := dict
  "path" "muster.muster.toolsetPresets"
  "presets" ((.Values.muster).muster).toolsetPresets
  "labelDomain" (include "standalone.labelDomain" .) -}}
{{- if .Values.components.muster.enabled -}}
{{- include "library.presets.problem" $presets | default (include "library.presets.labelDomainProblem" $presets) -}}
{{- end -}}
{{- end -}}

{{/* When a release name contains the names of two parts, both parts would use the same object names. */}}
{{- define "standalone.namesProblem" -}}
{{- $problem := "" -}}
{{- $seen := dict -}}
{{- range $part := list "muster" "agent-manager" "mcp-kubernetes" "portal" -}}
{{- with index $.Subcharts $part -}}
{{- $name := include "library.fullname" . -}}
{{- if and (not $problem) (hasKey $seen $name) -}}
{{- $problem = printf "%s and %s would both name their objects %q in the release %q; set %s.fullnameOverride" (index $seen $name) $part $name $.Release.Name $part -}}
{{- end -}}
{{- $_ := set $seen $name $part -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* The portal calls the gateway of the release by the name that its Service has without names of the installation. */}}
{{- define "standalone.portalProblem" -}}
{{- with .Subcharts.portal -}}
{{- if not .Values.muster.url -}}
{{- $called := include "portal.gatewayService" . -}}
{{- with $.Subcharts.muster -}}
{{- $name := include "library.fullname" . -}}
{{- if ne $name $called -}}
{{- printf "portal would call the Service %q, and the Service of the gateway is %q; set portal.muster.url" $called $name -}}
{{- end -}}
{{- else -}}
components.portal is enabled without the gateway, which it calls: set portal.muster.url
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Two parts must not register servers with one name. */}}
{{- define "standalone.serversProblem" -}}
{{- $problem := "" -}}
{{- $seen := dict -}}
{{- range include "standalone.servers" . | fromJsonArray -}}
{{- if and (not $problem) (hasKey $seen .name) -}}
{{- $problem = printf "%s and %s would both register the MCPServer %q; rename or remove one" (index $seen .name) .part .name -}}
{{- end -}}
{{- $_ := set $seen .name .part -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/*
The gateway cannot see names that the values give to other parts, so its list is compared here with what they register. An empty list
sends tokens to no host, as the installation wishes.
*/}}
{{- define "standalone.tokenHostsProblem" -}}
{{- $problem := "" -}}
{{- with .Subcharts.muster -}}
{{- $gateway := . -}}
{{- with ((.Values.muster).servers).plainHttpTokenHosts -}}
{{- $expressions := list -}}
{{- range . -}}
{{- $expressions = append $expressions (tpl . $gateway | lower | replace "." "[.]" | replace "*" ".*" | replace "?" ".") -}}
{{- end -}}
{{- $allowed := printf "^(localhost|127[.].*|::1|%s)$" (join "|" $expressions) -}}
{{- range $part := list "agent-manager" "model-manager" -}}
{{- with index $.Subcharts $part -}}
{{- $service := eq $part "model-manager" | ternary .Values.service.name (include "library.fullname" .) -}}
{{- $server := include "library.registration" (dict "context" . "type" $part "service" $service) | fromYaml -}}
{{- if ($server.spec).auth -}}
{{- $url := urlParse $server.spec.url -}}
{{- if and (not $problem) (eq $url.scheme "http") (not (regexMatch $allowed (lower $url.hostname))) -}}
{{- $problem = printf "%s registers %s, and the gateway would send no tokens to %q over plain HTTP; name the host in muster.muster.servers.plainHttpTokenHosts" $part $server.spec.url $url.hostname -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* The MCPServers of all parts, each with the part that registers it, as JSON. */}}
{{- define "standalone.servers" -}}
{{- $servers := list -}}
{{- with .Subcharts.muster -}}
{{- if (.Values.muster.kubernetes).enabled -}}
{{- range $name := keys .Values.mcpservers | sortAlpha -}}
{{- $servers = append $servers (dict "part" "muster" "name" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $part := list "agent-manager" "model-manager" -}}
{{- with index $.Subcharts $part -}}
{{- if .Values.muster.mcpServer.enabled -}}
{{- $servers = append $servers (dict "part" $part "name" .Values.muster.mcpServer.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with index .Subcharts "mcp-kubernetes" -}}
{{- if .Values.mcpServer.enabled -}}
{{- $servers = append $servers (dict "part" "mcp-kubernetes" "name" (include "mcp-kubernetes.serverName" .)) -}}
{{- end -}}
{{- end -}}
{{- with index .Subcharts "agent-platform-mcps" -}}
{{- if .Values.muster.enabled -}}
{{- $root := . -}}
{{- range .Values.mcpServers -}}
{{- if eq (default $.Release.Namespace .namespace) $.Release.Namespace -}}
{{- $name := include "agent-platform-mcps.server.name" (dict "root" $root "entry" .) -}}
{{- $servers = append $servers (dict "part" "agent-platform-mcps" "name" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $servers -}}
{{- end -}}
