{{/*
Returns the first problem of the presets, with the text of the gateway; empty without problems. Takes a dict:
  path     of the presets in the values, such as muster.muster.toolsetPresets
  presets  name -> {description, include, exclude}
*/}}
{{- define "library.presets.problem" -}}
{{- $presets := .presets -}}
{{- if kindIs "invalid" $presets -}}{{- $presets = dict -}}{{- end -}}
{{- if not (kindIs "map" $presets) -}}
{{- printf "%s: must be a map from preset name to preset" .path -}}
{{- else -}}
{{- $given := dict "path" .path "presets" (include "library.presets.set" $presets | fromJson) -}}
{{- $problem := include "library.presets.redefined" $given -}}
{{- range $check := list "shapes" "unknown" "cycles" -}}
{{- if not $problem -}}{{- $problem = include (printf "library.presets.%s" $check) $given -}}{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
{{- end -}}

{{/*
The presets without null entries, as JSON. Helm removes null entries from the values of a chart, but not from the values of a part.
*/}}
{{- define "library.presets.set" -}}
{{- $set := dict -}}
{{- range $name, $preset := . -}}
{{- if not (kindIs "invalid" $preset) -}}{{- $_ := set $set $name $preset -}}{{- end -}}
{{- end -}}
{{- toJson $set -}}
{{- end -}}

{{- define "library.presets.redefined" -}}
{{- $redefined := list -}}
{{- range include "library.builtInPresets" . | splitList " " -}}
{{- if hasKey $.presets . -}}{{- $redefined = append $redefined . -}}{{- end -}}
{{- end -}}
{{- with $redefined -}}
{{- printf "%s redefines %s, which is built into the gateway and cannot be redefined by configuration (the gateway pod would refuse to start, naming it); rename the preset" $.path (sortAlpha . | join ", ") -}}
{{- end -}}
{{- end -}}

{{/* A name in a list: without quotes unless it contains invisible characters. */}}
{{- define "library.presets.listed" -}}
{{- $quoted := printf "%q" . -}}
{{- if eq $quoted (printf "\"%s\"" .) -}}{{- . -}}{{- else -}}{{- $quoted -}}{{- end -}}
{{- end -}}

{{/* Returns the problem of the first malformed preset. */}}
{{- define "library.presets.shapes" -}}
{{- $problem := "" -}}
{{- range $name, $preset := .presets -}}
{{- if not $problem -}}
{{- with include "library.presets.shape" (dict "name" $name "preset" $preset) -}}
{{- $problem = printf "%s: %s" $.path . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "library.presets.shape" -}}
{{- $preset := .preset -}}
{{- if not (regexMatch (include "library.presetName" .) .name) -}}
{{- printf "preset name %q is invalid; use letters, digits, '.', '_' or '-'" .name -}}
{{- else if not (kindIs "map" $preset) -}}
{{- printf "preset %q must be an object with description, include and exclude" .name -}}
{{- else if omit $preset "description" "include" "exclude" -}}
{{- printf "preset %q has the unknown field %q; a preset has description, include and exclude" .name (omit $preset "description" "include" "exclude" | keys | sortAlpha | first) -}}
{{- else if not (or (kindIs "invalid" $preset.description) (kindIs "string" $preset.description)) -}}
{{- printf "preset %q description must be a string" .name -}}
{{- else if not (kindIs "slice" $preset.include) -}}
{{- printf "preset %q include must be a list of rules" .name -}}
{{- else if not (or (kindIs "invalid" $preset.exclude) (kindIs "slice" $preset.exclude)) -}}
{{- printf "preset %q exclude must be a list of rules" .name -}}
{{- else -}}
{{- $problem := "" -}}
{{- range $list := list "include" "exclude" -}}
{{- range $index, $rule := index $preset $list -}}
{{- if not $problem -}}
{{- with include "library.presets.rule" (dict "list" $list "rule" $rule) -}}
{{- $problem = printf "preset %q %s[%d] %s" $.name $list $index . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}
{{- end -}}

{{/* A key without a value or with an empty text counts as unset. */}}
{{- define "library.presets.rule" -}}
{{- $known := include "library.ruleKeys" . | splitList " " -}}
{{- $rule := ternary .rule (dict) (kindIs "map" .rule) -}}
{{- $set := list -}}
{{- range $known -}}
{{- $value := index $rule . -}}
{{- if and (hasKey $rule .) (not (kindIs "invalid" $value)) (ne (toString $value) "") -}}{{- $set = append $set . -}}{{- end -}}
{{- end -}}
{{- $unknown := list -}}
{{- range keys $rule | sortAlpha -}}
{{- if not (has . $known) -}}{{- $unknown = append $unknown . -}}{{- end -}}
{{- end -}}
{{- if $unknown -}}
{{- printf "has the unknown key %q; a rule sets exactly one of %s" (first $unknown) (join ", " $known) -}}
{{- else if ne (len $set) 1 -}}
{{- printf "must set exactly one of %s" (join ", " $known) -}}
{{- else -}}
{{- include "library.presets.ruleValue" (dict "list" .list "key" (first $set) "value" (index $rule (first $set))) -}}
{{- end -}}
{{- end -}}

{{- define "library.presets.ruleValue" -}}
{{- if eq .key "readOnly" -}}
{{- if not (kindIs "bool" .value) -}}
readOnly must be true
{{- else if not .value -}}
readOnly: false selects nothing; omit the rule
{{- end -}}
{{- else if not (kindIs "string" .value) -}}
{{- printf "%s must be a string" .key -}}
{{- else if and (eq .key "preset") (eq .list "exclude") -}}
cannot compose a preset in exclude; only include may
{{- else if and (eq .key "label") (not (regexMatch (include "library.presetLabel" .) .value)) -}}
{{- printf "label %q is invalid; expected <key>=<value> or <key>" .value -}}
{{- else if eq .key "pattern" -}}
{{- include "library.glob.problem" .value -}}
{{- end -}}
{{- end -}}

{{/* Returns the problem of the first unknown included preset. */}}
{{- define "library.presets.unknown" -}}
{{- $known := concat (include "library.builtInPresets" . | splitList " ") (keys .presets | sortAlpha) -}}
{{- $listed := list -}}
{{- range $known -}}{{- $listed = append $listed (include "library.presets.listed" .) -}}{{- end -}}
{{- $problem := "" -}}
{{- range $name, $preset := .presets -}}
{{- range $index, $rule := $preset.include -}}
{{- if and (not $problem) $rule.preset (not (has $rule.preset $known)) -}}
{{- $problem = printf "%s: preset %q include[%d] includes unknown preset %q; known presets: %s" $.path $name $index $rule.preset (join ", " $listed) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{- define "library.presets.cycles" -}}
{{- $closed := dict -}}
{{- $problem := "" -}}
{{- range $name, $preset := .presets -}}
{{- if and (not $problem) (not (hasKey $closed $name)) -}}
{{- with include "library.presets.cycleFrom" (dict "presets" $.presets "name" $name "trail" list "closed" $closed) -}}
{{- $problem = printf "%s: %s" $.path . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problem -}}
{{- end -}}

{{/*
Searches the includes of a preset for a cycle, depth first. `trail` has the presets of the path and their rules, `closed` those without a cycle. Helm limits the recursion depth; beyond it only the gateway validates.
*/}}
{{- define "library.presets.cycleFrom" -}}
{{- $problem := "" -}}
{{- range $index, $rule := (get .presets .name).include -}}
{{- if and (not $problem) $rule.preset -}}
{{- $trail := append $.trail (dict "name" $.name "index" $index) -}}
{{- $begin := -1 -}}
{{- range $at, $step := $trail -}}
{{- if eq $step.name $rule.preset -}}{{- $begin = $at -}}{{- end -}}
{{- end -}}
{{- if ge $begin 0 -}}
{{- $names := list -}}
{{- range slice $trail $begin -}}{{- $names = append $names (include "library.presets.listed" .name) -}}{{- end -}}
{{- $start := index $trail $begin -}}
{{- $problem = printf "preset %q include[%d] preset composition cycles: %s" $start.name $start.index (append $names (first $names) | join " -> ") -}}
{{- else if and (hasKey $.presets $rule.preset) (not (hasKey $.closed $rule.preset)) (lt (len $trail) 500) -}}
{{- $problem = include "library.presets.cycleFrom" (dict "presets" $.presets "name" $rule.preset "trail" $trail "closed" $.closed) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set .closed .name true -}}
{{- $problem -}}
{{- end -}}
