/** A button that submits a form. */
export interface FormButton {
  readonly name: string | undefined;
  readonly value: string;
  readonly text: string;
}

/** A form of a page. */
export interface HtmlForm {
  readonly action: string;
  readonly method: 'get' | 'post';
  /** The fields by name, with their values in the page. */
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly value: string }>;
  readonly buttons: readonly FormButton[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const decode = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole: string, ...groups: string[]) => {
    const [hex, decimal, name] = groups;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ''] ?? whole;
  });

const attributesOf = (tag: string): ReadonlyMap<string, string> => {
  const found = tag.matchAll(/([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );
};

const BUTTON = /<button\b([^>]*)>([\s\S]*?)<\/button>/gi;
const INPUT = /<input\b([^>]*)>/gi;

const buttonsOf = (html: string): readonly FormButton[] => {
  const buttons = [...html.matchAll(BUTTON)].map(([, tag = '', text = '']) => {
    const its = attributesOf(tag);
    const plain = decode(text.replace(/<[^>]*>/g, '')).trim();
    return {
      type: its.get('type') ?? 'submit',
      name: its.get('name'),
      value: its.get('value') ?? '',
      text: plain,
    };
  });
  const inputs = [...html.matchAll(INPUT)].map(([, tag = '']) => {
    const its = attributesOf(tag);
    const value = its.get('value') ?? '';
    return { type: its.get('type') ?? 'text', name: its.get('name'), value, text: value };
  });
  return [...buttons, ...inputs]
    .filter(({ type }) => type === 'submit')
    .map(({ name, value, text }) => ({ name, value, text }));
};

const isField = ({ type, name }: { type: string; name: string }): boolean =>
  name !== '' && !['submit', 'button', 'reset', 'image'].includes(type);

const fieldsOf = (html: string): HtmlForm['fields'] => {
  const inputs = [...html.matchAll(INPUT)].map(([, tag = '']) => {
    const its = attributesOf(tag);
    const type = its.get('type') ?? 'text';
    const value = its.get('value') ?? (type === 'checkbox' ? 'on' : '');
    return { type, name: its.get('name') ?? '', value };
  });
  return new Map(inputs.filter(isField).map(({ name, type, value }) => [name, { type, value }]));
};

/** Returns the forms of a page. It reads the small pages of sign-in, not any HTML. */
export const formsOf = (html: string): readonly HtmlForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, tag = '', content = '']) => {
    const its = attributesOf(tag);
    return {
      action: its.get('action') ?? '',
      method: its.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      fields: fieldsOf(content),
      buttons: buttonsOf(content),
    };
  });
