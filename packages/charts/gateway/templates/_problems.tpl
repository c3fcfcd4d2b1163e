{{/* Returns the first problem of the values, as one sentence; empty without problems. Each takes the root context. */}}

{{- define "gateway.problem" -}}
{{- $problem := include "library.presets.problem" (dict "path" (printf "%smuster.toolsetPresets" (include "library.valuesPath" .)) "presets" .Values.muster.toolsetPresets) -}}
{{- range list "release" "identity" "address" "health" "directories" "signIn" "secretFiles" "valkey" "state" "replicas" "probeTimes" "kubernetes" "servers" "steps" "mcpservers" "workflows" "network" -}}
{{- if not $problem -}}
{{- $problem = include (printf "gateway.%sProblem" .) $ -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "gateway.releaseProblem" -}}
{{- if include "gateway.grants" . -}}
{{- include "library.releaseProblem" . -}}
{{- else -}}
{{- include "library.nameProblem" . -}}
{{- end -}}
{{- end -}}

{{/* The values of the chart set group and domain for all objects; config.yaml must not differ. */}}
{{- define "gateway.identityProblem" -}}
{{- $problem := "" -}}
{{- range $key := list "apiGroup" "labelDomain" -}}
{{- $inBlock := index $.Values.muster $key -}}
{{- $inForce := include (printf "library.%s" $key) $ -}}
{{- if and (not $problem) $inBlock (ne (toString $inBlock) $inForce) -}}
{{- $problem = printf "muster.%s is %q, but %s is %q: omit muster.%s out, and set %s (or global.%s of a parent chart)" $key $inBlock $key $inForce $key $key $key -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/* Takes a host; not empty for one that only the pod reaches. */}}
{{- define "gateway.isLoopback" -}}
{{- $host := toString . -}}
{{- if or (eq $host "localhost") (eq $host "::1") (hasPrefix "127." $host) -}}true{{- end -}}
{{- end -}}

{{- define "gateway.addressProblem" -}}
{{- $http := .Values.muster.http | default dict -}}
{{- if include "gateway.isLoopback" $http.host -}}
{{- printf "muster.http.host is %q, which is not reachable from outside the pod: omit it" $http.host -}}
{{- else if and (hasKey $http "port") (not $http.port) -}}
muster.http.port is 0, but probes and Service need a port that they know: leave it out
{{- end -}}
{{- end -}}

{{/* Relative paths start at the configuration, which is mounted read-only. */}}
{{- define "gateway.directoriesProblem" -}}
{{- $state := .Values.muster.stateDirectory -}}
{{- $executions := (.Values.muster.workflows).executionsDirectory -}}
{{- if and $state (not (hasPrefix "/" $state)) -}}
{{- printf "muster.stateDirectory is %q, inside the read-only configuration: set an absolute path, such as %s/state" $state (include "gateway.stateMount" .) -}}
{{- else if and $executions (not (hasPrefix "/" $executions)) -}}
{{- printf "muster.workflows.executionsDirectory is %q, inside the read-only configuration: set an absolute path, such as %s/executions" $executions (include "gateway.stateMount" .) -}}
{{- end -}}
{{- end -}}

{{/* Not empty when the environment of the container may contain the state key from elsewhere. */}}
{{- define "gateway.hasOwnStateKey" -}}
{{- range .Values.extraEnv -}}{{- if eq .name "GATEWAY_STATE_KEY" -}}true{{- end -}}{{- end -}}
{{- if .Values.envFrom -}}true{{- end -}}
{{- end -}}

{{- define "gateway.stateProblem" -}}
{{- $state := include "gateway.state" . | fromJson -}}
{{- if eq (toString $state.store) "redis" -}}
{{- if not $state.url -}}
muster.state.store is redis, but muster.state.url is not set
{{- else if not (regexMatch "^rediss?://" $state.url) -}}
muster.state.url must begin with redis:// or rediss://
{{- else if regexMatch "^rediss?://[^/?#@]*:[^/?#@]*@" $state.url -}}
muster.state.url must not contain a password: use stateSecret
{{- else if not (or .Values.stateSecret.existingSecret $state.keyFile (include "gateway.hasOwnStateKey" .)) -}}
muster.state.store is redis, but there is no key that encrypts the state: name its Secret in stateSecret.existingSecret
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "gateway.replicasProblem" -}}
{{- $scaling := .Values.autoscaling | default dict -}}
{{- $key := ternary "autoscaling.maxReplicas" "replicas" (default false $scaling.enabled) -}}
{{- $most := ternary $scaling.maxReplicas .Values.replicas (default false $scaling.enabled) | int -}}
{{- if gt $most 1 -}}
{{- if ne (toString (include "gateway.state" . | fromJson).store) "redis" -}}
{{- printf "%s is %d, and replicas share sign-ins and sessions only in a server: set muster.state.store to redis, and muster.state.url, or valkey.enabled" $key $most -}}
{{- else if .Values.persistence.enabled -}}
{{- printf "%s is %d, and persistence.enabled stores the state of one replica: disable one of them" $key $most -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* After the drain of requests, servers and stores have two seconds. */}}
{{- define "gateway.probeTimesProblem" -}}
{{- $http := default dict .Values.muster.http -}}
{{- $drain := $http.drainSeconds | default (include "gateway.defaultDrainSeconds" .) -}}
{{- $needed := add .Values.preStopSeconds (default 0 $http.drainDelaySeconds) $drain 2 -}}
{{- if lt (int .Values.terminationGracePeriodSeconds) (int $needed) -}}
{{- printf "terminationGracePeriodSeconds is %d, but the gateway requires %d to end its requests: preStopSeconds, muster.http.drainDelaySeconds, muster.http.drainSeconds and 2 more" (int .Values.terminationGracePeriodSeconds) $needed -}}
{{- end -}}
{{- end -}}

{{- define "gateway.mcpserversProblem" -}}
{{- $given := dict "root" . "kind" "MCPServer" "folder" "mcpservers" "resources" .Values.mcpservers "from" .Values.mcpserversFrom -}}
{{- include "gateway.filesProblem" $given | default (include "gateway.sizeProblem" $given) -}}
{{- end -}}

{{- define "gateway.workflowsProblem" -}}
{{- $given := dict "root" . "kind" "Workflow" "folder" "workflows" "resources" .Values.workflows "from" .Values.workflowsFrom -}}
{{- include "gateway.filesProblem" $given | default (include "gateway.sizeProblem" $given) -}}
{{- end -}}

{{/* A ConfigMap has at most 1 MiB of data. */}}
{{- define "gateway.sizeProblem" -}}
{{- $bytes := 0 -}}
{{- range $name, $resource := .resources -}}
{{- $bytes = add $bytes (len (include "gateway.document" (dict "root" $.root "kind" $.kind "name" $name "resource" $resource))) -}}
{{- end -}}
{{- if gt (int $bytes) 1048576 -}}
{{- printf "%s are %d bytes, and a ConfigMap holds at most 1048576: move some into your own ConfigMaps, and list them in %sFrom" .folder (int $bytes) .folder -}}
{{- end -}}
{{- end -}}

{{/* One file has one source. */}}
{{- define "gateway.filesProblem" -}}
{{- $names := keys .resources -}}
{{- $problem := "" -}}
{{- range $index, $source := .from -}}
{{- if not $problem -}}
{{- if eq (empty $source.secret) (empty $source.configMap) -}}
{{- $problem = printf "%sFrom[%d] must name exactly one of secret and configMap" $.folder $index -}}
{{- end -}}
{{- range $source.names -}}
{{- if and (not $problem) (has . $names) -}}
{{- $problem = printf "%sFrom[%d] names %q, which has a definition already: one file has one source" $.folder $index . -}}
{{- end -}}
{{- $names = append $names . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
