import type { MessagePort } from 'node:worker_threads';
import { parseYaml, type ParsedYaml } from '../yaml/parse-yaml.ts';
import type { YamlAnswer, YamlRequest } from './yaml-messages.ts';

const answerOf = (parsed: ParsedYaml, paths: YamlRequest['paths']): YamlAnswer =>
  parsed.ok
    ? { ok: true, value: parsed.value, positions: paths.map((path) => parsed.locate(path)) }
    : parsed;

/** Answers the requests of a `YamlThread`, one after the other. The program of the thread calls this with its port. */
export const serveYaml = (port: MessagePort): void => {
  // A text whose positions are requested was parsed just before.
  let last: { readonly text: string; readonly parsed: ParsedYaml } | undefined;
  port.on('message', ({ text, paths }: YamlRequest) => {
    if (last?.text !== text) last = { text, parsed: parseYaml(text) };
    port.postMessage(answerOf(last.parsed, paths));
  });
};
