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

const textsOf = (folder) =>
  readdirSync(folder)
    .filter((name) => TERMS.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());

/** Libraries whose manifest states the terms and which come without the text all the same, with their owner if the manifest has none. */
const WITHOUT_TEXT = new Map([
  ['@cfworker/json-schema', undefined],
  ['@humanwhocodes/momoa', undefined],
  ['koa-compose', 'the contributors of https://github.com/koajs/compose'],
]);

const mit = (owner) => `MIT License

Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any user obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit users to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The licence of this workspace is the Apache License 2.0. */
const APACHE = new URL('../../../LICENSE', import.meta.url);

const termsOf = (folder, { name, license, author }) => {
  const texts = textsOf(folder);
  if (texts.length > 0 || !WITHOUT_TEXT.has(name)) return texts;
  if (license === 'Apache-2.0') return [readFileSync(APACHE, 'utf8').trim()];
  return license === 'MIT' ? [mit(author ?? WITHOUT_TEXT.get(name))] : texts;
};

const entryOf = (folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const terms = termsOf(folder, manifest);
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
