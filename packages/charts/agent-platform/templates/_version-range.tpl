{{/*
Ranges of versions, as Flux reads them: `>=5.12.0 <6.0.0`, `5.x`, `~5.12`, `^5.12.0`, `5.12 - 5.14`, `5.12.0 || >=5.13.1`.
The grammar is defined here to report mistakes clearly, and because a range is tested with the versions that it names.
*/}}

{{/* One version, a part of one, or a wildcard. */}}
{{- define "agent-platform.versionPattern" -}}
{{- $number := "(?:0|[1-9][0-9]{0,8})" -}}
{{- $identifier := "(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]{0,8})" -}}
{{- $build := "(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?" -}}
{{- $full := printf "%s\\.%s\\.%s(?:-%s(?:\\.%s)*)?%s" $number $number $number $identifier $identifier $build -}}
{{- printf "v?(?:%s|%s\\.%s(?:\\.[xX*])?|%s(?:\\.[xX*]){0,2}|[xX*](?:\\.[xX*]){0,2})" $full $number $number $number -}}
{{- end -}}

{{- define "agent-platform.versionRangePattern" -}}
{{- $version := include "agent-platform.versionPattern" . -}}
{{- $piece := printf "(?:=|!=|>|<|>=|=>|<=|=<|~|~>|\\^)? *%s" $version -}}
{{- $all := printf "(?:%s +- +%s|%s(?:(?: *, *| +)%s)*)" $version $version $piece $piece -}}
{{- printf "^ *%s *(?:\\|\\| *%s *)*$" $all $all -}}
{{- end -}}

{{/* "true" when the text is a range of versions. */}}
{{- define "agent-platform.isVersionRange" -}}
{{- if regexMatch (include "agent-platform.versionRangePattern" .) . -}}true{{- end -}}
{{- end -}}

{{/*
Returns a version below the floor that the range admits, or nothing. Takes a dict `range` `floor`. The lower bound of a range is a version that it names, a neighbour of one, or 0.0.0, so these are tested. A named prerelease below the floor counts as admitted, because versions of the semver library differ in whether `>=5.12.0-rc.1 <6.0.0` admits 5.12.0-rc.1.
*/}}
{{- define "agent-platform.admittedBelow" -}}
{{- $floor := semver .floor -}}
{{- $admitted := "" -}}
{{- $probes := list "0.0.0" -}}
{{- range regexFindAll (include "agent-platform.versionPattern" .) .range -1 -}}
{{- $version := regexReplaceAll "\\+.*" (trimPrefix "v" .) "" -}}
{{- $core := regexReplaceAll "-.*" $version "" -}}
{{- if and (ne $core $version) (not $admitted) (gt ($floor.Compare (semver $version)) 0) -}}
{{- $admitted = $version -}}
{{- end -}}
{{- $parts := splitList "." (regexReplaceAll "[xX*]" (printf "%s.0.0" $core) "0") -}}
{{- $major := index $parts 0 | int -}}{{- $minor := index $parts 1 | int -}}{{- $patch := index $parts 2 | int -}}
{{- $probes = concat $probes (list
  (printf "%d.0.0" $major) (printf "%d.%d.0" $major $minor) (printf "%d.%d.%d" $major $minor $patch)
  (printf "%d.%d.%d" $major $minor (add1 $patch)) (printf "%d.%d.0" $major (add1 $minor)) (printf "%d.0.0" (add1 $major))) -}}
{{- end -}}
{{- range $probes -}}
{{- if and (not $admitted) (gt ($floor.Compare (semver .)) 0) (semverCompare $.range .) -}}
{{- $admitted = . -}}
{{- end -}}
{{- end -}}
{{- $admitted -}}
{{- end -}}
