import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  isIgnored,
  parseCopy,
  parseExecForm,
  parseInstructionPairs,
  listInstructionTexts,
  type BuildStage,
} from '../../src/dockerfile.ts';
import { ROOT, ignored, imageOf } from './apps.ts';

/** The file tree of an image, laid out in a folder instead of by an engine. */
export interface ImageTree {
  /** The folder that stands for `/`. */
  readonly root: string;
  /** A text of the Dockerfile with the paths of the image turned into those of the tree. */
  readonly inTree: (text: string) => string;
  readonly env: ReadonlyMap<string, string>;
  readonly workdir: string;
  /** ENTRYPOINT followed by CMD, as the Dockerfile has them. */
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly uid: number;
  readonly remove: () => void;
}

/**
 * Steps that install and compile. They ran before the tests, with the same lock file and scripts, so their result is reused.
 * `IMAGE_TREE=full` repeats them.
 */
const DONE_IN_CHECKOUT = { install: /\bpnpm install\b/u, build: /\bpnpm .*run build\b/u };
const full = process.env['IMAGE_TREE'] === 'full';

/** The paths that belong to the app; everything else of the image is the system's. */
const OURS = /(?<![\w./-])\/(?:src|opt|etc\/gateway|var\/lib\/gateway)(?=[/\s'":]|$)/gu;

const placed = (root: string) => (text: string) => text.replaceAll(OURS, (path) => root + path);

/** Performs the steps of an app's Dockerfile that make files of ours, and lays out what the final stage copies. */
export function imageTree(app: string): ImageTree {
  const home = mkdtempSync(join(tmpdir(), 'image-tree-'));
  // The user of the image differs from the owner of the tree.
  chmodSync(home, 0o755);
  const { stages, final } = imageOf(app);
  const context = join(home, 'context');
  copyContext(context);
  const build = stages.find(({ name }) => name === 'build');
  if (build === undefined) throw new Error('the Dockerfile has no stage "build"');
  const dist = `apps/${app}/dist`;
  const takenOver = `cp --archive '${join(ROOT, dist)}' ${dist}`;
  perform(build, { context, root: join(home, 'build'), takenOver });
  const root = join(home, 'image');
  mkdirSync(join(root, 'var/lib/gateway'), { recursive: true });
  for (const copy of listInstructionTexts(final, 'COPY').map(parseCopy)) {
    if (copy.from !== 'system') {
      const from = copy.from === undefined ? context : join(home, copy.from);
      move(join(from, copy.sources[0] ?? ''), join(root, copy.target));
    }
  }
  const configuration = join(root, 'etc/gateway/config.yaml');
  writeFileSync(configuration, placed(root)(readFileSync(configuration, 'utf8')));
  const words = (keyword: string): readonly string[] =>
    parseExecForm((listInstructionTexts(final, keyword)[0] ?? '').replace(/^.*?\bCMD\s+/u, '')) ??
    [];
  return {
    root,
    inTree: placed(root),
    env: parseInstructionPairs(final, 'ENV'),
    workdir: listInstructionTexts(final, 'WORKDIR')[0] ?? '/',
    command: [...words('ENTRYPOINT'), ...words('CMD')],
    healthcheck: words('HEALTHCHECK'),
    uid: Number(listInstructionTexts(final, 'USER')[0]?.split(':')[0]),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The build context: what the checkout has under version control, or would have, without what `.dockerignore` leaves out. */
function copyContext(target: string): void {
  mkdirSync(target);
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const files = listed
    .split('\0')
    .filter((file) => file !== '' && !isIgnored(file, ignored) && existsSync(join(ROOT, file)));
  execFileSync('cp', ['--archive', '--parents', '--target-directory', target, ...files], {
    cwd: ROOT,
  });
}

interface Performance {
  readonly context: string;
  /** The folder that stands for `/` of the stage. */
  readonly root: string;
  /** Does what the build would do. */
  readonly takenOver: string;
}

function perform(stage: BuildStage, { context, root, takenOver }: Performance): void {
  const inTree = placed(root);
  let folder = root;
  for (const { keyword, text } of stage.instructions) {
    if (keyword === 'WORKDIR') mkdirSync((folder = inTree(text)), { recursive: true });
    if (keyword === 'COPY') execFileSync('cp', ['--archive', `${context}/.`, folder]);
    if (keyword === 'RUN') {
      mkdirSync(join(root, 'opt'), { recursive: true });
      if (!full && DONE_IN_CHECKOUT.build.test(text)) run(takenOver, folder);
      else if (full || !DONE_IN_CHECKOUT.install.test(text)) run(inTree(text), folder);
    }
  }
}

function run(command: string, cwd: string): void {
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}\n${stdout}${stderr}`);
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
