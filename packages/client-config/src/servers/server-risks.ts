import { isTextList, isJsonObject, type ConfigObject } from '../json.ts';
import { findOwnAddress } from './address-kind.ts';

/** The risks of an entry from another source, each of which a user may accept by its name. */
export const RISKS = ['address', 'container', 'environment', 'plain-http', 'runtime'] as const;

export type Risk = (typeof RISKS)[number];

/** A part of an entry that is refused unless a user accepts its risk. */
export interface ServerRisk {
  readonly code: 'risk';
  readonly risk: Risk;
  /** The part of the entry, without values that may be secrets. */
  readonly part: string;
}

const REASONS: Readonly<Record<Risk, string>> = {
  address: 'is an address of this machine, of its network or of the metadata of a cloud',
  container: 'gives the container access to this machine, or removes its isolation',
  environment: 'is a variable that can change which program or library runs, or whom it trusts',
  'plain-http': 'sends calls and headers without encryption',
  runtime: 'can change what runs, or where it comes from',
};

const MAX_PART_CHARS = 120;

export const formatRisk = ({ risk, part }: ServerRisk): string => {
  const shown = part.length > MAX_PART_CHARS ? `${part.slice(0, MAX_PART_CHARS)}…` : part;
  return `"${shown}" ${REASONS[risk]}; --allow ${risk} accepts it`;
};

/** Variables by which loaders, interpreters, package managers and clients of TLS choose code, places and trust. */
const REDIRECTING =
  /^(?:npm_config_.*|npm_package_.*|node_options|node_(?:path|extra_ca_certs|tls_.*|repl_.*|v8_coverage|use_env_proxy|icu_data|compile_cache|redirect_warnings)|npx_.*|corepack_.*|pnpm_.*|yarn_.*|bun_.*|deno_.*|uv_.*|pip_.*|pipx_.*|poetry_.*|conda_.*|virtual_env|python(?:path|home|startup|inspect|executable|usersite|userbase|breakpoint|platlibdir|warnings|pycacheprefix|httpsverify)|docker_.*|container_.*|buildkit_.*|compose_.*|podman_.*|kubeconfig|ld_.*|dyld_.*|path|pathext|comspec|home|userprofile|appdata|localappdata|xdg_.*|shell|bash_.*|zdotdir|env|ifs|ps4|prompt_command|(?:https?|all|ftp|no|wss?|socks5?|grpc)_proxy|aws_(?:endpoint_url.*|config_file|shared_credentials_file)|krb5.*|gnutls_.*|ssl_cert_.*|sslkeylogfile|(?:curl|requests|aws|grpc|httplib2|deno_tls|cargo_http|git_ssl)_ca(?:_.*)?|.*_ca_(?:bundle|certs?|file)|grpc_default_ssl_roots_file_path|curl_home|git_.*|ssh_.*|gconv_path|locpath|glibc_tunables|malloc_.*|hostaliases|res_options|localdomain|openssl_.*|perl5?.*|ruby(?:opt|lib)|gem_.*|bundle_.*|_?java_(?:tool_)?options|java_opts|java_home|jdk_java_options|classpath|maven_opts|gradle_opts|go(?:proxy|flags|sumdb|nosumdb|nosumcheck|insecure|private|toolchain|path|root)|cargo_.*|rustc_.*|rustup_.*|dotnet_.*|coreclr_.*|cor_.*|nix_.*|lua_.*|php_ini_scan_dir|phprc|electron_run_as_node|editor|visual|(?:.*_|man)?pager|less(?:open|close)|browser|chrome_(?:path|bin)|.*_executable_path|playwright_(?:browsers_path|download_host)|puppeteer_download_.*|gtk_(?:modules|path)|qt_(?:plugin_path|qpa_.*)|gio_(?:extra_modules|module_dir)|fontconfig_.*|erl_.*|elixir_erl_options|julia_.*|r_(?:home|profile.*|environ.*|libs.*)|mono_.*|ts_node_.*|tsx_.*|psmodulepath|windir|systemroot|libpath|shlib_path|makeflags|fpath|cdpath|shellopts|bashopts|nlspath|.*san_options|tmpdir|te?mp)$/iu;

/** Returns whether a variable can change which code runs, where it comes from or whom it trusts. */
export const canRedirectTrust = (name: string): boolean => REDIRECTING.test(name);

/** Options without a value. Every other option has one, so that nothing after it is taken for the image too early. */
const FLAGS: ReadonlySet<string> = new Set(
  `--interactive --tty --detach --rm --init --read-only --quiet --privileged --publish-all --no-healthcheck --oom-kill-disable
--sig-proxy --disable-content-trust --use-api-socket --replace --rootfs --no-hosts`.split(/\s+/u),
);

/** Flags, then an option with its value. */
const SHORT = /^-([itdqP]*)(.?)=?(.*)$/su;

/** Options that do not reach beyond the container. All others do, or may in a later version of the program. */
const HARMLESS: ReadonlySet<string> = new Set(
  `-i --interactive -t --tty -d --detach --rm --init --read-only -q --quiet --no-healthcheck -m --memory --memory-swap
--memory-reservation --cpus --cpu-shares -c --platform --pull --tmpfs --shm-size -w --workdir --stop-timeout --stop-signal
--pids-limit --name -h --hostname -l --label --cap-drop --ulimit --restart -a --attach --sig-proxy -e --env`.split(
    /\s+/u,
  ),
);

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

const listOptionRisks = (option: ReadOption): readonly ServerRisk[] => {
  const { name, value } = option;
  if (name === '-e' || name === '--env') {
    const variable = value?.split('=')[0] ?? '';
    return canRedirectTrust(variable)
      ? [{ code: 'risk', risk: 'environment', part: variable }]
      : [];
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
    risks.push(...options.flatMap(listOptionRisks));
    at += Math.max(1, ...options.map(({ count }) => count));
  }
  const image = words[at] === '--' ? words[at + 1] : words[at];
  return image === undefined || IMAGE.test(image)
    ? risks
    : [...risks, { code: 'risk', risk: 'container', part: image }];
};

/** Returns the risks of the arguments of a program that runs containers. Only `run` with options of the container alone has none. */
const listContainerRisks = (program: string, words: readonly string[]): readonly ServerRisk[] => {
  const start = words[0] === 'container' ? 1 : 0;
  const [command = '', ...rest] = words.slice(start);
  return command === 'run' || command === 'create'
    ? runRisks(rest)
    : [{ code: 'risk', risk: 'container', part: `${program} ${command}`.trim() }];
};

interface ProgramOptions {
  readonly names: readonly string[];
  /** Options that neither run other code than the entry shows nor take it from another place. All others do, or may. */
  readonly harmless: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  readonly subcommands?: readonly string[];
  /** A following word with a path or a suffix is a file, which the entry shows. */
  readonly runsFiles?: true;
}

const PROGRAMS: readonly ProgramOptions[] = [
  {
    names: ['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx'],
    harmless:
      /^(?:-[yqsdwp]|--(?:yes|quiet|silent|verbose|package|workspaces?|loglevel|offline|prefer-offline|prefer-online|no|no-install|no-audit|no-fund|no-progress|no-color|no-update-notifier|ignore-existing|bun|dir|cwd|filter))$/u,
    valued: /^(?:-[pw]|--(?:package|workspace|loglevel|dir|cwd|filter))$/u,
    subcommands: ['exec', 'x', 'dlx'],
  },
  {
    names: ['uvx', 'uv', 'pipx'],
    harmless:
      /^(?:-[pqvnmsU]|-p\d[\d.]*|--(?:from|with|with-editable|spec|python|directory|project|package|extra|group|refresh-package|refresh|quiet|verbose|isolated|no-cache|offline|no-project|no-sync|frozen|locked|active|all-extras|all-groups|dev|no-dev|module|script|prerelease|upgrade|native-tls|no-progress|no-config|no-env-file|managed-python|no-managed-python|python-preference|link-mode|color|reinstall|resolution|exact))$/u,
    valued:
      /^(?:-p|--(?:from|with|with-editable|spec|python|directory|project|package|extra|group|refresh-package|prerelease|python-preference|link-mode|color|resolution))$/u,
    subcommands: ['run', 'tool'],
  },
  {
    names: ['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node'],
    harmless:
      /^(?:-[Aqb]|--(?:max[-_][\w-]+|(?:no|trace)[-_](?:warnings|deprecation)|trace[-_]uncaught|enable[-_]source[-_]maps|stack[-_]size|unhandled[-_]rejections|expose[-_]gc|experimental[-_](?:strip[-_]types|transform[-_]types|vm[-_]modules|modules|fetch|json[-_]modules|sqlite|wasm[-_]modules)|use[-_]system[-_]ca|dns[-_]result[-_]order|disable[-_]warning|title|watch|(?:allow|deny)-[\w-]+|no-prompt|no-lock|no-check|no-remote|no-npm|cached-only|unstable(?:-[\w-]+)?|quiet|bun|silent|smol|no-install))$/u,
    valued:
      /^--(?:title|disable-warning|unhandled-rejections|dns-result-order|max-http-header-size)$/u,
    subcommands: ['run', 'x', 'watch'],
    runsFiles: true,
  },
  {
    names: ['python', 'py', 'pypy'],
    harmless: /^-(?:[bBdEiIOPqsSuvx]*m?|\d(?:\.\d+)?|[WX].*)$/u,
    valued: /^-[WX]$/u,
    runsFiles: true,
  },
  { names: ['perl', 'ruby', 'lua', 'php'], harmless: /^-(?:[wTq]|W\d?|f)$/u, runsFiles: true },
  {
    names: ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'fish'],
    harmless: /^(?:[-+][eEuxliv]*o?|--(?:login|posix|norc|noprofile))$/u,
    valued: /^[-+][a-zA-Z]*o$/u,
    runsFiles: true,
  },
  {
    names: ['java'],
    harmless:
      /^-(?:jar|cp|classpath|-class-path|m|-module|X(?:m[nsx]|ss)\w+|ea|server|-enable-preview|-add-(?:opens|exports|modules)|D(?!(?:javax?|sun|jdk|com\.sun|https?|ftp|socks)\b|socksProxy)[\w.-]+)$/u,
    valued: /^(?:-cp|-classpath|--class-path|--add-(?:opens|exports|modules))$/u,
    runsFiles: true,
  },
  {
    names:
      'corepack mise volta fnm conda mamba micromamba pixi poetry pipenv pdm hatch rye busybox'.split(
        ' ',
      ),
    harmless: /^(?:-[nqv]|--(?:name|quiet|verbose|no-capture-output|live-stream))$/u,
    valued: /^(?:-n|--name)$/u,
    subcommands: ['run', 'exec', 'x'],
  },
];

const CONTAINER_PROGRAMS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'finch']);

/** Programs that run the text or the program of their arguments, with other rights or in a form that is not read here. */
const OPAQUE: ReadonlySet<string> = new Set(
  `powershell pwsh osascript sudo doas su ssh nsenter chroot unshare xargs setsid socat nohup nice time timeout stdbuf ionice
chrt taskset numactl script watch strace ltrace gdb expect awk gawk mawk nawk find parallel git tclsh wish runuser pkexec
systemd-run machinectl bwrap firejail flatpak kubectl crictl ctr lxc docker-compose podman-compose buildah rundll regsvr mshta
wscript cscript msbuild`.split(/\s+/u),
);

/** Returns the name of a program without its folders, its version and its suffix: `python` for `/usr/bin/python3.12`. */
const toProgramName = (command: string): string =>
  (command.split(/[\\/]/u).at(-1) ?? '')
    .toLowerCase()
    .replace(/(?:-?\d+(?:\.\d+)*)?(?:\.(?:exe|cmd|bat))?$/u, '');

/** Returns the program of a package `NAME@VERSION` or `NAME==VERSION`. One with a scope has none of those known here. */
const toPackageProgram = (word: string): string =>
  /^@[^/]+\//u.test(word) ? '' : word.replace(/^([^\\/@=]+)(?:@|==).*$/su, '$1');

const MAX_DEPTH = 16;

const createRisk = (name: Risk, part: string): ServerRisk => ({ code: 'risk', risk: name, part });

/** Options after which `npx` takes the package for their value, and reads the options behind it. */
const BEFORE_VALUE = /^--(?:no|no-(?:audit|fund|progress|color|update-notifier)|bun)$/u;

const EVALUATING: ReadonlySet<string> = new Set([
  'deno eval',
  'deno repl',
  'deno task',
  'bun exec',
  'bun repl',
]);

/** Returns the options that `npm` reads: those behind the package too, up to `--`. */
const listNpmOptions = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  const read = end === -1 ? words : words.slice(0, end);
  return read.filter((word) => word.startsWith('-'));
};

interface ReadWords {
  readonly options: readonly string[];
  readonly behind: readonly string[];
}

const readWords = (
  { valued, subcommands = [] }: ProgramOptions,
  words: readonly string[],
): ReadWords => {
  const options: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, behind: words.slice(at + 1) };
    if (/^[-+]/u.test(word)) options.push(word);
    else if (!subcommands.includes(word)) return { options, behind: words.slice(at) };
    if (valued?.test(word) === true) at += 1;
  }
  return { options, behind: [] };
};

const listRuntimeRisks = (
  program: string,
  known: ProgramOptions,
  words: readonly string[],
  depth: number,
): readonly ServerRisk[] => {
  const { options, behind } = readWords(known, words);
  const [next = '', ...args] = behind;
  const readsAll =
    program === 'npm' || (program === 'npx' && options.some((word) => BEFORE_VALUE.test(word)));
  const read = readsAll ? listNpmOptions(words) : options;
  const isFile = known.runsFiles === true && /[\\/.]/u.test(next.replace(/@.*$/su, ''));
  return [
    ...read
      .filter((word) => !known.harmless.test(word.replace(/=.*$/su, '')))
      .map((word) => createRisk('runtime', word)),
    ...(EVALUATING.has(`${program} ${next}`) ? [createRisk('runtime', `${program} ${next}`)] : []),
    ...(isFile ? [] : listCommandRisks(toPackageProgram(next), args, depth)),
  ];
};

const isAssignment = (word: string): boolean => /^[^-=][^=]*=/u.test(word);

/** Characters by which `cmd` runs a second program. */
const CMD_OPERATOR = /[&|<>^%!()\n]/u;

/** `cmd` reads its words as one line. */
const listCmdRisks = (words: readonly string[], depth: number): readonly ServerRisk[] => {
  const line = words
    .flatMap((word) => word.replaceAll('"', '').split(/[\s,;]+/u))
    .map((word) => word.replace(/^@+/u, ''))
    .filter((word) => word !== '' && word.toLowerCase() !== 'call');
  const at = line.findIndex((word) => !/^\/\w/u.test(word));
  const [options, [command = '', ...args]] =
    at === -1 ? [line, []] : [line.slice(0, at), line.slice(at)];
  return [
    ...[
      ...options.filter((word) => word.length > 2),
      ...words.filter((word) => CMD_OPERATOR.test(word)),
      ...(/^(?:start|if|for)$/iu.test(command) ? [command] : []),
    ].map((word) => createRisk('runtime', `cmd ${word}`)),
    ...listCommandRisks(command, args, depth),
  ];
};

/** `env NAME=VALUE program` and `wsl program` run the program that follows. */
const listWrapperRisks = (
  program: string,
  words: readonly string[],
  depth: number,
): readonly ServerRisk[] => {
  const isOption = (word: string): boolean => word.startsWith('-');
  const at = words.findIndex((word) => !isAssignment(word) && !isOption(word));
  const before = at === -1 ? words : words.slice(0, at);
  const [command = '', ...args] = at === -1 ? [] : words.slice(at);
  return [
    ...before.filter(isOption).map((word) => createRisk('runtime', `${program} ${word}`)),
    ...before
      .filter(isAssignment)
      .map((word) => word.split('=')[0] ?? '')
      .filter(canRedirectTrust)
      .map((name) => createRisk('environment', name)),
    ...listCommandRisks(command, args, depth),
  ];
};

const WRAPPERS: ReadonlySet<string> = new Set(['env', 'cross-env', 'wsl']);

/** Returns the risks of a program and of the programs that it runs in turn. */
const listCommandRisks = (
  command: string,
  args: readonly string[],
  outer = 0,
): readonly ServerRisk[] => {
  const program = toProgramName(command);
  const depth = outer + 1;
  if (depth > MAX_DEPTH) return [createRisk('runtime', program)];
  if (CONTAINER_PROGRAMS.has(program)) return listContainerRisks(program, args);
  if (OPAQUE.has(program)) return [createRisk('runtime', program)];
  if (program === 'cmd') return listCmdRisks(args, depth);
  if (WRAPPERS.has(program)) return listWrapperRisks(program, args, depth);
  const options = PROGRAMS.find(({ names }) => names.includes(program));
  return options === undefined ? [] : listRuntimeRisks(program, options, args, depth);
};

/** Returns the risks of an address. A program of this machine that a user names is no risk; one that a registry names is. */
export const listAddressRisks = (
  address: string,
  mayBeLoopback: boolean,
): readonly ServerRisk[] => {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const own = findOwnAddress(url);
  if (own === 'loopback' && mayBeLoopback) return [];
  return [
    ...(own === undefined ? [] : [createRisk('address', url.origin)]),
    ...(url.protocol === 'http:' ? [createRisk('plain-http', url.origin)] : []),
  ];
};

/** Returns the addresses of the metadata of a cloud in a text, which no server needs. */
const listMetadataRisks = (text: string): readonly ServerRisk[] =>
  (text.match(/https?:\/\/[^\s"'<>|]+/giu) ?? [])
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address))
    .filter((url) => findOwnAddress(url) === 'link-local')
    .map(({ origin }) => createRisk('address', origin));

/** Returns the risks of a definition that a client's file has, in its order. */
export const listServerRisks = ({
  command,
  args,
  env,
  url,
}: ConfigObject): readonly ServerRisk[] => {
  const words = isTextList(args) ? args : [];
  const variables = isJsonObject(env) ? env : {};
  return [
    ...(typeof command === 'string' ? listCommandRisks(command, words) : []),
    ...Object.keys(variables)
      .filter(canRedirectTrust)
      .map((name) => createRisk('environment', name)),
    ...[...words, ...Object.values(variables)]
      .filter((value) => typeof value === 'string')
      .flatMap(listMetadataRisks),
    ...(typeof url === 'string' ? listAddressRisks(url, true) : []),
  ];
};
