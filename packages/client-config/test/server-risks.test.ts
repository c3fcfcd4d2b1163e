import { describe, expect, it } from 'vitest';
import { parseImport, formatServerProblem } from '../src/index.ts';

const problemsOf = (server: object): readonly string[] => {
  const parsed = parseImport(JSON.stringify({ mcpServers: { one: server } }));
  if (!parsed.ok) throw new Error('not readable');
  return parsed.servers.flatMap(({ problems }) => problems.map(formatServerProblem));
};

const REASONS = {
  address: 'is an address of this machine, of its network or of the metadata of a cloud',
  container: 'gives the container access to this machine, or removes its isolation',
  environment: 'is a variable that can change which program or library runs, or whom it trusts',
  'plain-http': 'sends calls and headers without encryption',
  runtime: 'can change what runs, or where it comes from',
} as const;

const refusal = (risk: keyof typeof REASONS, part: string): string =>
  `"${part}" ${REASONS[risk]}; --allow ${risk} accepts it.`;

const words = (line: string): object => {
  const [command, ...args] = line.split(' ');
  return { command, args };
};

describe('a container of an imported entry', () => {
  it.each([
    ['docker run -i --rm -v /:/host image', '-v /:/host'],
    ['docker run -i --rm -v/:/host image', '-v /:/host'],
    ['docker run -itv /:/host image', '-v /:/host'],
    ['docker run --volume=/:/host image', '--volume /:/host'],
    ['docker run --mount type=bind,src=/,dst=/host image', '--mount type=bind,src=/,dst=/host'],
    [
      'docker run -v /var/run/docker.sock:/var/run/docker.sock image',
      '-v /var/run/docker.sock:/var/run/docker.sock',
    ],
    ['docker run --network=host image', '--network host'],
    ['docker run --net host image', '--net host'],
    ['docker run --pid=host image', '--pid host'],
    ['docker run --ipc=host image', '--ipc host'],
    ['docker run --uts=host image', '--uts host'],
    ['docker run --userns=host image', '--userns host'],
    ['docker run --cgroupns host image', '--cgroupns host'],
    ['docker run --privileged image', '--privileged'],
    ['docker run --cap-add SYS_ADMIN image', '--cap-add SYS_ADMIN'],
    ['docker run --device /dev/mem image', '--device /dev/mem'],
    ['docker run --security-opt apparmor=unconfined image', '--security-opt apparmor=unconfined'],
    ['docker run -u 0 image', '-u 0'],
    ['docker run -u0:0 image', '-u 0:0'],
    ['docker run --user root image', '--user root'],
    ['docker run --volumes-from other image', '--volumes-from other'],
    ['docker run --use-api-socket image', '--use-api-socket'],
    ['docker run -p 0.0.0.0:22:22 image', '-p 0.0.0.0:22:22'],
    ['docker run --some-new-option x image', '--some-new-option x'],
    ['podman run --privileged image', '--privileged'],
    ['/usr/local/bin/docker container run --privileged image', '--privileged'],
    ['docker.exe run --privileged image', '--privileged'],
    ['cmd /c docker run --privileged image', '--privileged'],
    ['env A=b docker run --privileged image', '--privileged'],
    ['docker -H tcp://10.0.0.1 run image', 'docker -H'],
    ['docker exec other sh', 'docker exec'],
    ['docker compose up', 'docker compose'],
    ['docker run -v=/:/host image', '-v /:/host'],
    ['docker run -u 00 image', '-u 00'],
    ['docker run —volume=/:/host image', '—volume=/:/host'],
    ['docker run －v /:/host image', '－v'],
  ])('%s', (line, part) => {
    expect(problemsOf(words(line))).toEqual([refusal('container', part)]);
  });

  it.each([
    'docker run -i --rm image',
    'docker run -it --rm --init --read-only --cap-drop ALL --memory 1g --name one image',
    'docker run -i --rm -e TOKEN -e MODE=a --network none -u 1000:1000 image',
    'docker run -i --rm --security-opt=no-new-privileges image',
    'docker run -i --rm image --privileged -v /:/host',
  ])('%s has no risk', (line) => {
    expect(problemsOf(words(line))).toEqual([]);
  });
});

describe('a program of an imported entry', () => {
  it.each([
    ['npx --registry=https://evil.example -y server', '--registry=https://evil.example'],
    [
      'npx -y --@acme:registry=https://evil.example server',
      '--@acme:registry=https://evil.example',
    ],
    ['npx -c id', '-c'],
    ['npx --node-options=--require=/tmp/a.js server', '--node-options=--require=/tmp/a.js'],
    ['npx -y -p server --call id', '--call'],
    ['npm exec server --registry=https://evil.example', '--registry=https://evil.example'],
    ['uvx --index-url https://evil.example server', '--index-url'],
    [
      'uvx --from server --extra-index-url=https://evil.example server',
      '--extra-index-url=https://evil.example',
    ],
    ['uv run --env-file .env server', '--env-file'],
    ['node -e process.exit()', '-e'],
    ['node --require /tmp/a.js server.js', '--require'],
    ['python3 -c import(os)', '-c'],
    ['python -Ic import(os)', '-Ic'],
    ['/usr/bin/python3.12 -c import(os)', '-c'],
    ['node-22 -e process.exit()', '-e'],
    ['perl -e system', '-e'],
    ['sh -c id', '-c'],
    ['bash -lc id', '-lc'],
    ['sudo docker run image', 'sudo'],
    ['powershell -Command id', 'powershell'],
    ['cmd /c npx -c id', '-c'],
    ['cmd /v:on /c npx server', 'cmd /v:on'],
    ['cmd /c npx server & calc', 'cmd &'],
    ['npx -yc id', '-yc'],
    ['npx --cal id', '--cal'],
    ['npx --regis=https://evil.example server', '--regis=https://evil.example'],
    [
      'pnpm --config.registry=https://evil.example dlx server',
      '--config.registry=https://evil.example',
    ],
    ['npx tsx -e id', '-e'],
    ['npm exec -- sh -c id', '-c'],
    ['npm exec server --registry=https://evil.example -- a', '--registry=https://evil.example'],
    ['uv run --with requests python -c id', '-c'],
    ['poetry run sh -c id', '-c'],
    ['corepack npx -c id', '-c'],
    ['busybox sh -c id', '-c'],
    ['node -ep id', '-ep'],
    ['node --experimental_loader=/tmp/a.js server.js', '--experimental_loader=/tmp/a.js'],
    ['node --openssl-config=/tmp/a server.js', '--openssl-config=/tmp/a'],
    ['node22 -e id', '-e'],
    ['python3.12 -c id', '-c'],
    ['deno eval id', 'deno eval'],
    ['deno repl', 'deno repl'],
    ['deno task start', 'deno task'],
    ['bash --rcfile /tmp/a', '--rcfile'],
    ['bash -O extglob -c id', '-O'],
    ['java -javaagent:/tmp/a.jar -jar server.jar', '-javaagent:/tmp/a.jar'],
    ['java -Djavax.net.ssl.trustStore=/tmp/a -jar server.jar', '-Djavax.net.ssl.trustStore=/tmp/a'],
    ['kubectl exec pod', 'kubectl'],
    ['ionice sh -c id', 'ionice'],
    ['rundll32.exe a.dll', 'rundll'],
    ['uvx python@3.12 -c id', '-c'],
    ['npx -y tsx@4.20.0 -e id', '-e'],
    ['mise exec node@22 -- node -e id', '-e'],
    ['node --title one -e id', '-e'],
    ['bash +x -c id', '-c'],
    ['bash -lo pipefail -c id', '-c'],
    ['npx -y --no-audit server --registry=https://evil.example', '--registry=https://evil.example'],
    ['env A-B=1 sh -c id', '-c'],
    ['bun exec id', 'bun exec'],
    ['cmd /c @powershell -c calc', 'powershell'],
    ['cmd /c call powershell -c calc', 'powershell'],
    ['cmd /c start calc', 'cmd start'],
    [Array.from({ length: 20_000 }, () => 'env').join(' '), 'env'],
  ])('%s', (line, part) => {
    expect(problemsOf(words(line))).toEqual([refusal('runtime', part)]);
  });

  it.each([
    'npx -y @modelcontextprotocol/server-filesystem /srv -c config.json',
    'npx -y -p @acme/tools server --registry own',
    'cmd /c npx -y server',
    'uvx --from git+https://git.example/server server -c config.toml',
    'uv --directory /srv/server run server.py',
    'node server.js -e production',
    'python -m server -c config.toml',
    'python3.12 -m server -c config.toml',
    'bash start.sh',
    'bash -euo pipefail start.sh',
    'npm exec -y -- server --registry own',
    'npm run start',
    'pnpm --dir /srv exec server',
    'node --max-old-space-size=512 --no-warnings server.js',
    'deno run --allow-net --allow-read=/srv -q server.ts',
    'bun run server.ts',
    'python3.12 -u -X utf8 -m server -c config.toml',
    'uvx -q -p 3.12 --with extra server',
    'uv run --frozen -m server',
    'java -Xmx256m -Dspring.ai.mcp.server.stdio=true -jar server.jar',
    'conda run -n tools python server.py',
    'npx -y mcp-remote https://wiki.example/mcp',
    'npm start',
    'npx tsx watch server.ts',
    'npx -y @acme/git serve',
    'node ./bin/script',
    'bash +x start.sh',
    'cmd /c start.bat',
  ])('%s has no risk', (line) => {
    expect(problemsOf(words(line))).toEqual([]);
  });
});

describe('a variable of an imported entry', () => {
  it.each([
    ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS'],
    ...['NODE_EXTRA_CA_CERTS', 'PYTHONPATH', 'PYTHONSTARTUP', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'],
    ...['REQUESTS_CA_BUNDLE', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NPM_CONFIG_REGISTRY'],
    ...['PIP_INDEX_URL', 'UV_INDEX_URL', 'GIT_SSH_COMMAND', 'PATH', 'BASH_ENV', 'PERL5OPT'],
    ...['RUBYOPT', 'JAVA_TOOL_OPTIONS', 'DOCKER_HOST', 'SSLKEYLOGFILE', 'AWS_CA_BUNDLE', 'GOPROXY'],
    ...['NODE_REPL_EXTERNAL_MODULE', 'NODE_COMPILE_CACHE', 'AWS_ENDPOINT_URL', 'AWS_CONFIG_FILE'],
    ...['LESSOPEN', 'MANPAGER', 'GTK_MODULES', 'ERL_FLAGS', 'PSModulePath', 'SHELLOPTS'],
    ...['PUPPETEER_EXECUTABLE_PATH', 'PYTHONHTTPSVERIFY', 'wss_proxy', 'ld_preload'],
  ])('%s', (name) => {
    const refused = [refusal('environment', name)];
    expect(problemsOf({ command: 'server', env: { [name]: 'x' } })).toEqual(refused);
    expect(problemsOf(words(`env ${name}=x server`))).toEqual(refused);
    expect(problemsOf(words(`docker run -e ${name}=x image`))).toEqual(refused);
  });

  it.each([
    ...[
      'TOKEN',
      'PYTHONUNBUFFERED',
      'NODE_ENV',
      'AWS_REGION',
      'PATH_TO_DATA',
      'UVICORN',
      'API_BASE',
    ],
  ])('%s has no risk', (name) => {
    expect(problemsOf({ command: 'server', env: { [name]: 'x' } })).toEqual([]);
  });

  it('has a name that a program can receive', () => {
    expect(problemsOf({ command: 'server', env: { 'A B': 'x' } })).toEqual([
      'The name "A B" in its "env" is not a name of a variable.',
    ]);
    expect(problemsOf({ url: 'https://a.example/mcp', headers: { 'X Key': 'x' } })).toEqual([
      'The name "X Key" in its "headers" is not a name of a header.',
    ]);
  });
});

describe('an address of an imported entry', () => {
  it.each([
    ['https://169.254.169.254/mcp', 'https://169.254.169.254'],
    ['https://0xa9fea9fe/mcp', 'https://169.254.169.254'],
    ['https://[fe80::1]/mcp', 'https://[fe80::1]'],
    ['https://[64:ff9b::a9fe:a9fe]/mcp', 'https://[64:ff9b::a9fe:a9fe]'],
    ['https://192.168.1.1/mcp', 'https://192.168.1.1'],
    ['https://172.16.0.1/mcp', 'https://172.16.0.1'],
    ['https://100.64.0.1/mcp', 'https://100.64.0.1'],
    ['https://wiki.corp/mcp', 'https://wiki.corp'],
    ['https://wiki./mcp', 'https://wiki.'],
    ['https://0251.0376.43518/mcp', 'https://169.254.169.254'],
    ['https://①⑥⑨.254.169.254/mcp', 'https://169.254.169.254'],
    ['https://[::ffff:0:a9fe:a9fe]/mcp', 'https://[::ffff:0:a9fe:a9fe]'],
    ['https://[fec0::1]/mcp', 'https://[fec0::1]'],
    ['https://168.63.129.16/mcp', 'https://168.63.129.16'],
    ['https://169.254.169.254.nip.io/mcp', 'https://169.254.169.254.nip.io'],
    ['https://app-10-0-0-1.sslip.io/mcp', 'https://app-10-0-0-1.sslip.io'],
    ['https://a9fea9fe.nip.io/mcp', 'https://a9fea9fe.nip.io'],
    ['https://metadata.goog/mcp', 'https://metadata.goog'],
  ])('%s', (url, part) => {
    expect(problemsOf({ url })).toEqual([refusal('address', part)]);
  });

  it('of the metadata of a cloud is found in arguments and variables', () => {
    const refused = [refusal('address', 'http://169.254.169.254')];
    expect(problemsOf(words('npx mcp-remote http://169.254.169.254/latest'))).toEqual(refused);
    expect(problemsOf(words('server --url=http://0xa9fea9fe/latest'))).toEqual(refused);
    const env = { BASE: 'http://169.254.169.254/' };
    expect(problemsOf({ command: 'server', env })).toEqual(refused);
  });

  it.each([
    'https://172.32.0.1/mcp',
    'https://wiki.example/mcp',
    'https://[2606:4700::1]/mcp',
    'https://ec2-52-1-2-3.cloud.example/mcp',
    'https://v1.2.3.4.wiki.example/mcp',
  ])('%s has no risk', (url) => {
    expect(problemsOf({ url })).toEqual([]);
  });

  it('without TLS is refused, but not that of a program of this machine', () => {
    expect(problemsOf({ url: 'http://wiki.example/mcp' })).toEqual([
      refusal('plain-http', 'http://wiki.example'),
    ]);
    expect(problemsOf({ url: 'http://localhost:3000/mcp' })).toEqual([]);
    expect(problemsOf({ url: 'http://127.0.0.1:3000/mcp' })).toEqual([]);
  });

  it('with credentials is refused', () => {
    expect(problemsOf({ url: 'https://me:pw@wiki.example/mcp' })).toEqual([
      'Its address contains a user or a password: remove them, and give the credentials as a header.',
    ]);
  });
});
