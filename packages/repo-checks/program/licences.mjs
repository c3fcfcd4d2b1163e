import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const TERMS = /^(licen[cs]e|copying|notice)/i;

/** The folders of the libraries that stand in the given output files of esbuild; the workspace's own packages are none. */
const librariesIn = (outputs) => {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => PACKAGE_FOLDER.exec(file)?.[0]),
  );
  return [...new Set(files)].filter((folder) => folder !== undefined);
};

const termsOf = (folder) =>
  readdirSync(folder)
    .filter((name) => TERMS.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());

const entryOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const terms = termsOf(folder);
  if (terms.length === 0) throw new Error(`${name} comes without the text of its licence`);
  return { title: `${name} ${version} (${license})`, text: terms.join('\n\n') };
};

const RULE = '-'.repeat(80);

/** The terms of all libraries in the given outputs, sorted by name. */
const licenceText = (root, outputs) => {
  const entries = librariesIn(outputs)
    .map((folder) => entryOf(resolve(root, folder)))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  return entries.map(({ title, text }) => `${RULE}\n${title}\n${RULE}\n\n${text}\n`).join('\n');
};

/** A plugin of esbuild that writes the licences of the libraries in a bundle beside it. One that comes without fails the build. */
export const licencesPlugin = (file) => ({
  name: 'licences',
  setup: ({ initialOptions, onEnd }) => {
    const root = initialOptions.absWorkingDir ?? process.cwd();
    onEnd(({ metafile, errors }) => {
      if (errors.length > 0 || metafile === undefined) return;
      const folder = resolve(root, initialOptions.outdir);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), licenceText(root, metafile.outputs));
    });
  },
});
