import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../harness/fixture.ts';
import { startGateway, type RunningGateway } from '../../harness/gateway.ts';
import { setUp, testDirectory } from '../../harness/lifetime.ts';
import { descendantsOf, isRunning } from '../../harness/living-process.ts';
import { rawCall, rawRequest } from '../../harness/raw-http.ts';

/** The heap that Node gives a process in a container of 512 MB. */
const HEAP_MB = 256;
const MEMORY_BYTES = 512 * 1024 * 1024;

const parallelOf = (template: string, count = 8) => [
  {
    id: 'group',
    parallel: Array.from({ length: count }, (_unused, at) => ({
      id: `p${String(at)}`,
      tool: 'x_box_echo',
      allowFailure: true,
      args: { value: template },
    })),
  },
];

const QUOTES = '{{ repeat 16000000 "a" | upper | quote | quote | quote }}';
const BIG = '{{ $t := repeat 1000000 "abc " }}';

/** Templates that took seconds or gigabytes in the process of the gateway. */
const HOSTILE: readonly string[] = [
  QUOTES,
  '{{ range 100000 }}{{ $x := sha512sum (repeat 10000 "a") }}{{ end }}',
  `${BIG}{{ wrap 1 $t }}`,
  `${BIG}{{ wrapWith 1 "" (nospace $t) }}`,
  '{{ splitList "" (repeat 16000000 "a") }}',
  '{{ range until 900000 }}{{ range until 900 }}x{{ end }}{{ end }}',
  '{{ until 8000000 | toJson | fromJson | toJson }}',
  '{{ printf "%9999999d%9999999d%9999999d" 1 2 3 }}',
  `${BIG}{{ range 100 }}{{ $t = indent 1 $t }}{{ end }}{{ $t }}`,
  `${BIG}{{ range 100 }}{{ $x := regexMatch "(a|b|c| )*z" $t }}{{ end }}`,
  `${BIG}{{ range 100 }}{{ $x := regexFindAll "a" $t -1 }}{{ end }}`,
  `${BIG}{{ range 40 }}{{ $t = replace "a" "aaaaaaaa" $t }}{{ end }}{{ $t }}`,
  '{{ $d := dict }}{{ range until 200000 }}{{ $d = set $d (toString .) (repeat 1000 "a") }}{{ end }}{{ $d }}',
  '{{ define "t" }}{{ template "t" . }}{{ template "t" . }}{{ end }}{{ template "t" 1 }}',
  '{{ $l := list 1 }}{{ range until 30 }}{{ $l = concat $l $l }}{{ end }}{{ $l | uniq }}',
  '{{ $l := list }}{{ range until 60 }}{{ $l = append $l (repeat 8000000 "a" | upper) }}{{ end }}{{ join "" $l }}',
  '{{ range .results.fill.list }}{{ range $.results.fill.list }}{{ .text | title | quote }}{{ end }}{{ end }}',
  '{{ sortAlpha (splitList "," (repeat 2000000 "b,a,")) }}',
  '{{ b64enc (repeat 16000000 "é") | b64dec | upper }}',
  '{{ range until 1000000 }}{{ date "Monday January 2006" . }}{{ end }}',
];

const directory = testDirectory();
let gateway: RunningGateway;

setUp(async () => {
  directory.server('box', fixture('workflow'));
  for (const [at, template] of HOSTILE.entries()) {
    const fill = {
      id: 'fill',
      tool: 'x_box_echo',
      args: { value: { list: '{{ fromJson .input.list }}' } },
    };
    directory.workflow(`hostile-${String(at)}`, {
      args: { list: { type: 'string', default: JSON.stringify(LIST) } },
      steps: [fill, ...parallelOf(template)],
      output: { text: template },
    });
  }
  gateway = await startGateway(directory.path, {
    node: [`--max-old-space-size=${String(HEAP_MB)}`],
  });
});

const LIST = Array.from({ length: 2000 }, (_unused, id) => ({
  id,
  text: `text of item ${String(id)}`,
}));

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

const timesOf = (times: readonly number[]): Times => {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
};

/** Repeats a request until the condition holds, and at least `count` times. Returns the milliseconds that each took. */
async function measure(request: () => Promise<void>, count: number, isDone: () => boolean) {
  const times: number[] = [];
  while (times.length < count || !isDone()) {
    const start = performance.now();
    await request();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return timesOf(times);
}

async function canary(): Promise<void> {
  const { text } = await rawCall(gateway.url, {
    name: 'call_tool',
    arguments: { name: 'x_box_echo', arguments: { value: 'canary' } },
  });
  if (text !== '"canary"') throw new Error(text);
}

async function health(): Promise<void> {
  const { status } = await rawRequest(gateway.url, { path: '/healthz', method: 'GET' });
  expect(status).toBe(200);
}

/** Resident memory of the gateway and of the processes that render for it. */
const residentBytes = (): number => {
  const pids = [gateway.child.pid ?? 0, ...descendantsOf(gateway.child.pid ?? 0)];
  const own = pids.filter((pid, at) => isRunning(pid) && (at === 0 || isRenderer(pid)));
  return own.reduce((sum, pid) => sum + residentBytesOf(pid), 0);
};

const textOf = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
};

const isRenderer = (pid: number): boolean => textOf(pid, 'cmdline').includes('entry/process');

const residentBytesOf = (pid: number): number =>
  1024 * Number(/^VmRSS:\s+(\d+) kB$/mu.exec(textOf(pid, 'status'))?.[1] ?? 0);

async function run(at: number): Promise<string> {
  const { text } = await rawCall(gateway.url, {
    name: 'call_tool',
    arguments: { name: `workflow_hostile-${String(at)}`, arguments: {} },
  });
  return text;
}

const MEASURED_MS = 12_000;

describe('twenty hostile workflows at once', () => {
  it('neither hold up other callers nor exceed the memory of the process', async () => {
    const quiet = await measure(canary, 200, () => true);
    let running = HOSTILE.length;
    let largest = 0;
    const sampling = setInterval(() => {
      largest = Math.max(largest, residentBytes());
    }, 50);
    for (const at of HOSTILE.keys()) {
      void run(at)
        // The gateway stops before the longest of them end.
        .catch(() => undefined)
        .finally(() => (running -= 1));
    }
    const until = performance.now() + MEASURED_MS;
    const isDone = (): boolean => performance.now() > until;
    const [busy, alive] = await Promise.all([
      measure(canary, 200, isDone),
      measure(health, 200, isDone),
    ]);
    clearInterval(sampling);
    const measured = JSON.stringify({ quiet, busy, alive, largest, running });
    expect(running, measured).toBeGreaterThan(0);
    expect(largest, measured).toBeLessThan(MEMORY_BYTES);
    expect(busy.p99, measured).toBeLessThan(3 * quiet.p99 + 250);
    expect(alive.longest, measured).toBeLessThan(2000);
    expect(gateway.child.exitCode).toBeNull();
  });
});
