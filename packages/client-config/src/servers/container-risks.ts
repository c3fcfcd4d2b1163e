import { redirectsTrust, type ServerRisk } from './risk.ts';

/** Options without a value. Every other option has one, so that nothing after it is taken for the image too early. */
const FLAGS: ReadonlySet<string> = new Set([
  ...['--interactive', '--tty', '--detach', '--rm', '--init', '--read-only', '--quiet'],
  ...['--privileged', '--publish-all', '--no-healthcheck', '--oom-kill-disable', '--sig-proxy'],
  ...['--disable-content-trust', '--use-api-socket', '--replace', '--rootfs', '--no-hosts'],
]);

/** Flags, then an option with its value. */
const SHORT = /^-([itdqP]*)(.?)=?(.*)$/su;

/** Options that do not reach beyond the container. All others do, or may in a later version of the program. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['-i', '--interactive', '-t', '--tty', '-d', '--detach', '--rm', '--init', '--read-only'],
  ...[
    '-q',
    '--quiet',
    '--no-healthcheck',
    '-m',
    '--memory',
    '--memory-swap',
    '--memory-reservation',
  ],
  ...['--cpus', '--cpu-shares', '-c', '--platform', '--pull', '--tmpfs', '--shm-size', '-w'],
  ...['--workdir', '--stop-timeout', '--stop-signal', '--pids-limit', '--name', '-h', '--hostname'],
  ...['-l', '--label', '--cap-drop', '--ulimit', '--restart', '-a', '--attach', '--sig-proxy'],
  ...['-e', '--env'],
]);

const HARMLESS_VALUES: Readonly<Record<string, RegExp>> = {
  '--network': /^(?:none|bridge|default)$/u,
  '--net': /^(?:none|bridge|default)$/u,
  '--security-opt': /^no-new-privileges(?:[:=]true)?$/u,
  '--user': /^(?!0+(?::|$))[1-9]\d*(?::[1-9]\d*)?$/u,
  '-u': /^(?!0+(?::|$))[1-9]\d*(?::[1-9]\d*)?$/u,
};

interface ReadOption {
  readonly name: string;
  readonly value: string | undefined;
  /** The words that it has. */
  readonly count: number;
}

/** Reads one option: `--name=value`, `--name value`, `-n value`, `-nvalue`, and flags together with one of these, `-itv value`. */
const readOption = (word: string, next: string | undefined): readonly ReadOption[] => {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    if (at !== -1) return [{ name: word.slice(0, at), value: word.slice(at + 1), count: 1 }];
    return FLAGS.has(word)
      ? [{ name: word, value: undefined, count: 1 }]
      : [{ name: word, value: next, count: 2 }];
  }
  const [, flags = '', name = '', own = ''] = SHORT.exec(word) ?? [];
  const read = flags.split('').map((flag) => ({ name: `-${flag}`, value: undefined, count: 1 }));
  if (name === '') return read;
  return [
    ...read,
    own === ''
      ? { name: `-${name}`, value: next, count: 2 }
      : { name: `-${name}`, value: own, count: 1 },
  ];
};

const isHarmless = ({ name, value = '' }: ReadOption): boolean =>
  HARMLESS.has(name) || HARMLESS_VALUES[name]?.test(value) === true;

const riskOfOption = (option: ReadOption): readonly ServerRisk[] => {
  const { name, value } = option;
  if (name === '-e' || name === '--env') {
    const variable = value?.split('=')[0] ?? '';
    return redirectsTrust(variable) ? [{ code: 'risk', risk: 'environment', part: variable }] : [];
  }
  if (isHarmless(option)) return [];
  return [
    { code: 'risk', risk: 'container', part: value === undefined ? name : `${name} ${value}` },
  ];
};

/** An image. Another word may be an option in letters that only look like one. */
const IMAGE = /^[a-z0-9][\w.\-/:@]*$/iu;

/** Returns the risks of the options of `run`, which end at the image. */
const runRisks = (words: readonly string[]): readonly ServerRisk[] => {
  const risks: ServerRisk[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-' || word === '--') break;
    const options = readOption(word, words[at + 1]);
    risks.push(...options.flatMap(riskOfOption));
    at += Math.max(1, ...options.map(({ count }) => count));
  }
  const image = words[at] === '--' ? words[at + 1] : words[at];
  return image === undefined || IMAGE.test(image)
    ? risks
    : [...risks, { code: 'risk', risk: 'container', part: image }];
};

/** Returns the risks of the arguments of a program that runs containers. Only `run` with options of the container alone has none. */
export const containerRisks = (
  program: string,
  words: readonly string[],
): readonly ServerRisk[] => {
  const start = words[0] === 'container' ? 1 : 0;
  const [command = '', ...rest] = words.slice(start);
  return command === 'run' || command === 'create'
    ? runRisks(rest)
    : [{ code: 'risk', risk: 'container', part: `${program} ${command}`.trim() }];
};
