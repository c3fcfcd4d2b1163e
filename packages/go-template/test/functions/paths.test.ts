import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Paths and addresses', () => {
  printsEach([
    ['{{ base "a/b/" }}', 'b'],
    ['{{ base "/" }}', '/'],
    ['{{ base "" }}', '.'],
    ['{{ base "a" }}', 'a'],
    ['{{ base "//" }}', '/'],
    ['{{ dir "a/b/" }}', 'a/b'],
    ['{{ dir "/" }}', '/'],
    ['{{ dir "" }}', '.'],
    ['{{ dir "a" }}', '.'],
    ['{{ dir "/a" }}', '/'],
    ['{{ dir "/a/b/../c" }}', '/a'],
    ['{{ clean "a//b/./c/.." }}', 'a/b'],
    ['{{ clean "" }}', '.'],
    ['{{ clean "../../a" }}', '../../a'],
    ['{{ clean "/../a" }}', '/a'],
    ['{{ clean "a/.." }}', '.'],
    ['{{ clean "/" }}', '/'],
    ['{{ ext "a.tar.gz" }}', '.gz'],
    ['{{ ext "a" }}', ''],
    ['{{ ext ".bashrc" }}', '.bashrc'],
    ['{{ ext "a.b/c" }}', ''],
    ['{{ isAbs "/a" }}', 'true'],
    ['{{ isAbs "a" }}', 'false'],
    ['{{ osBase "/a/b" }}', 'b'],
    ['{{ osDir "/a/b" }}', '/a'],
    ['{{ osClean "a/../b" }}', 'b'],
    ['{{ osExt "x.y" }}', '.y'],
    ['{{ osIsAbs "/" }}', 'true'],
    [
      '{{ urlParse "http://admin:secret@server.com:8080/api/v1?list=false#anchor" | toJson }}',
      '{"fragment":"anchor","host":"server.com:8080","hostname":"server.com","opaque":"","path":"/api/v1","query":"list=false","scheme":"http","userinfo":"admin:secret"}',
    ],
    [
      '{{ urlParse "mailto:a@b.c" | toJson }}',
      '{"fragment":"","host":"","hostname":"","opaque":"a@b.c","path":"","query":"","scheme":"mailto","userinfo":""}',
    ],
    [
      '{{ urlParse "/a%20b?x=1" | toJson }}',
      '{"fragment":"","host":"","hostname":"","opaque":"","path":"/a b","query":"x=1","scheme":"","userinfo":""}',
    ],
    [
      '{{ urlParse "http://[::1]:80/" | toJson }}',
      '{"fragment":"","host":"[::1]:80","hostname":"::1","opaque":"","path":"/","query":"","scheme":"http","userinfo":""}',
    ],
    [
      '{{ urlParse "" | toJson }}',
      '{"fragment":"","host":"","hostname":"","opaque":"","path":"","query":"","scheme":"","userinfo":""}',
    ],
    [
      '{{ urlParse "//host/path" | toJson }}',
      '{"fragment":"","host":"host","hostname":"host","opaque":"","path":"/path","query":"","scheme":"","userinfo":""}',
    ],
    [
      '{{ urlParse "HTTP://H" | toJson }}',
      '{"fragment":"","host":"H","hostname":"H","opaque":"","path":"","query":"","scheme":"http","userinfo":""}',
    ],
    [
      '{{ urlParse "a:b:c" | toJson }}',
      '{"fragment":"","host":"","hostname":"","opaque":"b:c","path":"","query":"","scheme":"a","userinfo":""}',
    ],
    [
      '{{ urlParse "http://h?" | toJson }}',
      '{"fragment":"","host":"h","hostname":"h","opaque":"","path":"","query":"","scheme":"http","userinfo":""}',
    ],
    [
      '{{ urlJoin (dict "scheme" "http" "host" "host:80" "path" "/path" "query" "q=1" "fragment" "frag" "userinfo" "u:p") }}',
      'http://u:p@host:80/path?q=1#frag',
    ],
    [
      '{{ urlJoin (dict "scheme" "https" "host" "h" "path" "a b/c?d!é") }}',
      'https://h/a%20b/c%3Fd%21%C3%A9',
    ],
    ['{{ urlJoin (dict "path" "a:b") }}', './a:b'],
    ['{{ urlJoin (dict "scheme" "mailto" "opaque" "a@b") }}', 'mailto:a@b'],
    ['{{ urlJoin (dict) }}', ''],
    ['{{ urlJoin (dict "scheme" "file" "path" "/a") }}', 'file:///a'],
    ['{{ urlJoin (dict "host" "h") }}', '//h'],
    ['{{ urlJoin (dict "path" "/a" "fragment" "x y(z)") }}', '/a#x%20y(z)'],
  ]);

  failsEach([
    ['{{ urlParse "http://a b/" }}', 'urlParse: cannot read the address "http://a b/"'],
    ['{{ urlParse "1a:b" }}', 'urlParse: cannot read the address "1a:b"'],
    ['{{ urlParse "http://h/%zz" }}', 'urlParse: cannot read the address "http://h/%zz"'],
    ['{{ urlParse ":x" }}', 'urlParse: cannot read the address ":x"'],
    ['{{ urlParse "http://h:x/" }}', 'urlParse: cannot read the address "http://h:x/"'],
    ['{{ urlJoin (dict "scheme" 1) }}', 'urlJoin: "scheme" must be a string'],
  ]);
});
