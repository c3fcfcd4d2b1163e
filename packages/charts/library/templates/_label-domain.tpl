{{/*
Finds presets that select the tool-group label of the default domain in an installation with another domain. No server has that label, so the preset would match nothing. Takes a dict:
  path         of the presets in the values, such as muster.muster.toolsetPresets
  presets      name -> {description, include, exclude}
  labelDomain  of the installation
Returns a message with the required setting, or nothing.
*/}}
{{- define "library.presets.labelDomainProblem" -}}
{{- $default := printf "%s/tool-group" (include "library.defaultLabelDomain" .) -}}
{{- $own := printf "%s/tool-group" .labelDomain -}}
{{- $settings := list -}}
{{- if ne $own $default -}}
{{- range $name, $preset := .presets -}}
{{- range $list := list "include" "exclude" -}}
{{- $rules := list -}}
{{- $stale := false -}}
{{- range $rule := (index (default (dict) $preset) $list) -}}
{{- $label := toString (default "" $rule.label) -}}
{{- if or (eq $label $default) (hasPrefix (printf "%s=" $default) $label) -}}
{{- $stale = true -}}
{{- $rule = dict "label" (printf "%s%s" $own (trimPrefix $default $label)) -}}
{{- end -}}
{{- $rules = append $rules $rule -}}
{{- end -}}
{{- if $stale -}}
{{- $settings = append $settings (printf "%s.%s.%s to %s" $.path $name $list (toRawJson $rules)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $settings -}}
{{- printf "labelDomain is %s, but presets still select by %s, a label that no server has; set %s" $.labelDomain $default (join ", and " .) -}}
{{- end -}}
{{- end -}}
