import type { PackageKind } from '../problems/install-kind.ts';

/** The options of a program that a registry may set. */
export interface RuntimeOptions {
  /** Options without a value. */
  readonly flags: ReadonlySet<string>;
  /** Options that the gateway sets itself. */
  readonly own: ReadonlySet<string>;
  /** Options with a value. */
  readonly valued: ReadonlySet<string>;
  /** The form of their values; absent where every value is permitted. */
  readonly values?: RegExp;
  /** First words that files repeat although the gateway writes them. */
  readonly commands: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Options that are not listed are risks: `npx --package` and `uvx --from` run another package, `docker run --entrypoint` another program. */
export const RUNTIME_OPTIONS: Readonly<Record<PackageKind, RuntimeOptions>> = {
  npm: {
    flags: new Set(['-q', '--quiet']),
    own: new Set(['-y', '--yes']),
    valued: NONE,
    commands: NONE,
  },
  pypi: {
    flags: new Set(['-q', '--quiet', '--isolated', '--no-cache']),
    own: NONE,
    valued: new Set(['-p', '--python']),
    // uvx also takes the path of a program.
    values: /^\d+(?:\.\d+)*$/u,
    commands: NONE,
  },
  oci: {
    flags: new Set(['--init', '--read-only', '--privileged']),
    own: new Set(['-i', '--interactive', '--rm']),
    valued: new Set([
      ...[
        '-e',
        '--env',
        '-m',
        '--memory',
        '--cpus',
        '--platform',
        '--pull',
        '--tmpfs',
        '--shm-size',
      ],
      ...['-w', '--workdir', '--stop-timeout', '--pids-limit'],
      // The judgement of the whole command line finds the access that these give.
      ...['-v', '--volume', '--mount', '--network', '--net', '-p', '--publish', '--add-host'],
      ...['-u', '--user', '--pid', '--ipc', '--uts', '--userns', '--cgroupns', '--cap-add'],
      ...['--cap-drop', '--device', '--gpus', '--security-opt', '--group-add', '--volumes-from'],
    ]),
    commands: new Set(['run']),
  },
};
