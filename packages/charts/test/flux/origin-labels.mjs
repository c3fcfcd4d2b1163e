#!/usr/bin/env node
// A post-renderer of Helm: adds the labels with which Flux names the release of an object. The arguments are its namespace and name.
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';

const [namespace, name] = process.argv.slice(2);
const objects = parseAllDocuments(await text(process.stdin));
for (const object of objects) {
  if (object.contents === null) continue;
  object.setIn(['metadata', 'labels', 'helm.toolkit.fluxcd.io/name'], name);
  object.setIn(['metadata', 'labels', 'helm.toolkit.fluxcd.io/namespace'], namespace);
}
process.stdout.write(objects.map((object) => `---\n${object.toString()}`).join(''));
