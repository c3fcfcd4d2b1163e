import { describe, expect, it } from 'vitest';
import { maskLines } from '../src/index.ts';

const masked = (text: string): string => maskLines(text.split('\n')).join('\n');
const SECRET = 'hunter2-x';
const TOKEN = `ghp_${'x9'.repeat(18)}`;

describe('lines of a configuration for output', () => {
  it.each([
    // JSON, minified and indented
    `{"mcpServers":{"a":{"command":"x","env":{"GITHUB_TOKEN":"${SECRET}","B":"c"}}}}`,
    `  "Authorization": "Bearer ${SECRET}",`,
    `{"a":{"headers":{"Authorization":"Bearer ${SECRET}","X-Api-Key":"${SECRET}"}}}`,
    `"args":["--token","${SECRET}","-y"]`,
    `"args":["--header","Authorization: Bearer ${SECRET}"]`,
    `"args":["--header=Cookie: a=${SECRET}; b=${SECRET}"]`,
    `"args":["-e","DB_PASSWORD=${SECRET}"]`,
    `"args":["-c","export API_KEY='${SECRET}' && run --password ${SECRET}"]`,
    `"args":["{\\"token\\":\\"${SECRET}\\"}"]`,
    `"url":"https://x.example/mcp?a=b&api_key=${SECRET}&c=d"`,
    `"url":"https://me:${SECRET}@x.example/mcp"`,
    `"tokens":["${SECRET}","${SECRET}"]`,
    `"password": "a\\"${SECRET}"`,
    // YAML
    `  API_KEY: ${SECRET}`,
    `  - TOKEN: ${SECRET} # comment`,
    `  Authorization: Bearer ${SECRET}`,
    `  passphrase: two words ${SECRET}`,
    `args: [--token, ${SECRET}]`,
    `headers: { Authorization: Bearer ${SECRET}, X-A: b }`,
    `token: 'it''s ${SECRET}`,
    `secretKeyRef:\n  name: a\nkey: ${SECRET}`,
    // two fields
    `{"name":"API_TOKEN","value":"${SECRET}"}`,
    `[{"value":"a","name":"A"},{"value":"${SECRET}","name":"API_TOKEN"}]`,
    `"name": "API_TOKEN",\n"isSecret": true,\n"value": "${SECRET}"`,
    `- name: API_TOKEN\n  value: ${SECRET}`,
    `- name: X-Api-Key\n  value: |\n    ${SECRET}`,
    // TOML
    `bearer_token = "${SECRET}"`,
    `env = { A = "b", API_TOKEN = '${SECRET}' }`,
    // a command line
    `x --token ${SECRET} --password=${SECRET}`,
    `mysql -u root -p ${SECRET}`,
    `curl -u me:${SECRET} https://x.example`,
    `"args":["-u","me:${SECRET}"]`,
    `DATABASE_URL="postgres://u:pa@${SECRET}@h/db"`,
    `run postgres://u:pa@${SECRET}@h/db`,
    `https://hooks.slack.com/services/T0/B0/${SECRET}`,
    `https://discord.com/api/v10/webhooks/1/${SECRET}`,
    // over several lines
    `"args": [\n  "-u",\n  "me:${SECRET}"\n]`,
    `args:\n  - -p\n  - ${SECRET}`,
    `"args": [\n  "--token",\n  "${SECRET}"\n]`,
    `args:\n  - --token\n  - ${SECRET}`,
    `"tokens": [\n  "a${SECRET}",\n  "b${SECRET}"\n]`,
    `tokens:\n- ${SECRET}\n- ${SECRET}`,
    `PRIVATE_KEY: |\n  ${SECRET}\n\n  name: ${SECRET}\nb: c`,
    `token: "a\n  ${SECRET}"`,
    `token: a\n  ${SECRET}`,
    `token = """\n${SECRET}\n"""`,
    `note: >\n  -----BEGIN RSA PRIVATE KEY-----\n  ${SECRET}\n  -----END RSA PRIVATE KEY-----`,
  ])('hides the secret of %j', (text) => {
    expect(masked(text)).not.toContain(SECRET);
    expect(masked(text).split('\n')).toHaveLength(text.split('\n').length);
  });

  it.each([
    `- ${TOKEN}`,
    `["sk-proj-abcdefgh1234"]`,
    `x: Bearer abcdefgh1`,
    `x: ${'a1'.repeat(20)}`,
    `https://mcp.example/s/Zm9vYmFy0123456789abcdefgh/mcp`,
    `note: "-----BEGIN KEY-----\\nabc\\n-----END KEY-----"`,
  ])('hides the secret of %j by its form', (text) => {
    const secret = /ghp_\w+|sk-[\w-]+|abcdefgh1|(?:a1)+|Zm9v\w+|abc/u.exec(text)?.[0] ?? '';
    expect(secret).not.toBe('');
    expect(masked(text)).not.toContain(secret);
  });

  it.each([
    'name: git-hub',
    '- name: LOG_LEVEL\n  value: debug',
    '{"name":"LOG_LEVEL","value":"debug"}',
    '- name: API_TOKEN\n  value: ${API_TOKEN}',
    'docker run -u 1000:1000 -p 8080:80 image',
    'python -u server.py',
    'npx -y -p mcp-remote mcp-remote',
    'https://x.example/@scope/package',
    '  command: npx',
    '    - --verbose',
    '"args": ["-y", "@modelcontextprotocol/server-everything@2025.1.1"],',
    '  API_TOKEN: ${env:API_TOKEN}',
    '  Authorization: Bearer ${file:secrets/x/token}',
    '    file: secrets/git-hub/GITHUB_TOKEN',
    '  forwardToken: true',
    'auth:\n  type: oauth\n  forwardToken: false',
    'image: x@sha256:' + 'a1'.repeat(32),
    'url: https://x.example/mcp',
    'envFrom:\n  - name: TOKEN\n    secretKeyRef:\n      name: a\n      key: API_TOKEN',
    '  LEVEL: debug',
    'url: http://x.example/?api_key=${file:secrets/r/api_key}',
    'args:\n  - --token\n  - ${file:secrets/r/token}',
    '"mcpServers": {',
    '}',
    '',
  ])('shows %j', (text) => {
    expect(masked(text)).toBe(text);
  });

  it('hides a text after a placeholder, and the default of one', () => {
    for (const text of [
      `url: http://x.example/?api_key=\${file:a}${SECRET}`,
      `url: http://x.example/?api_key=\${env:A:-${SECRET}}`,
      `args:\n  - --token\n  - \${env:A:-${SECRET}}`,
      `args:\n  - --token\n  - \${env:A}${SECRET}`,
    ])
      expect(masked(text)).not.toContain(SECRET);
  });

  it('shows what follows a secret', () => {
    expect(masked('{"env":{"TOKEN":"abc","LEVEL":"debug"}}')).toBe(
      '{"env":{"TOKEN":"…","LEVEL":"debug"}}',
    );
    expect(masked('args:\n  - --token\n  - abc\n  - plain')).toBe(
      'args:\n  - --token\n  - "…"\n  - plain',
    );
    expect(masked('KEY: |\n  abc\nname: x')).toBe('KEY: …\n  …\nname: x');
  });

  it.each([
    'a'.repeat(300_000),
    'token:'.repeat(50_000),
    '"token":"'.repeat(30_000),
    '--token '.repeat(40_000),
    ' '.repeat(300_000),
    'Bearer '.repeat(40_000),
    'https://'.repeat(40_000),
    '-----BEGIN '.repeat(20_000),
    '${'.repeat(100_000),
    `token: ${'${'.repeat(100_000)}`,
    'sk-'.repeat(100_000),
    '-p a '.repeat(50_000),
    '-u a: '.repeat(50_000),
    '"value":1,'.repeat(30_000),
    'https://hooks.slack.com/'.repeat(10_000),
    `token${' '.repeat(200_000)}x`,
    `--token${' '.repeat(200_000)}-x`,
  ])('takes linear time (case %#)', (line) => {
    const start = process.cpuUsage();
    maskLines([line]);
    const { user } = process.cpuUsage(start);
    expect(user / 1000).toBeLessThan(5000);
  });
});
