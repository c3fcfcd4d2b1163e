type OwnAddress = 'loopback' | 'link-local' | 'private';

type Range = readonly [kind: OwnAddress, first: string, bits: number];

const IPV4_RANGES: readonly Range[] = [
  ['loopback', '0.0.0.0', 8],
  ['loopback', '127.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  // The metadata service of Azure has a public address.
  ['link-local', '168.63.129.16', 32],
  ['private', '10.0.0.0', 8],
  ['private', '100.64.0.0', 10],
  ['private', '172.16.0.0', 12],
  ['private', '192.0.0.0', 24],
  ['private', '192.168.0.0', 16],
  ['private', '198.18.0.0', 15],
  ['private', '224.0.0.0', 3],
];

const toNumber = (address: string): number =>
  address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

const findIpv4Kind = (address: number): OwnAddress | undefined =>
  IPV4_RANGES.find(([, first, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(toNumber(first) / size);
  })?.[0];

/** Returns the eight groups of an IPv6 address that the URL parser has normalised. */
const parseGroups = (text: string): readonly number[] => {
  const [head = '', tail] = text.split('::');
  const numbers = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
};

/** Prefixes that an IPv4 address follows at the group: mapped, translated, compatible, NAT64 and 6to4. */
const WITH_IPV4: readonly (readonly [prefix: readonly number[], group: number])[] = [
  [[0, 0, 0, 0, 0, 0xffff], 6],
  [[0, 0, 0, 0, 0xffff, 0], 6],
  [[0, 0, 0, 0, 0, 0], 6],
  [[0x64, 0xff9b], 6],
  [[0x2002], 1],
];

const findPrefixKind = (first: number): OwnAddress | undefined => {
  if (first >> 6 === 0x3fa) return 'link-local';
  return first >> 9 === 0x7e || first >> 6 === 0x3fb || first >> 8 === 0xff ? 'private' : undefined;
};

const findIpv6Kind = (groups: readonly number[]): OwnAddress | undefined => {
  const [, at] =
    WITH_IPV4.find(([prefix]) => prefix.every((group, index) => groups[index] === group)) ?? [];
  if (at === undefined) return findPrefixKind(groups[0] ?? 0);
  return findIpv4Kind((groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0));
};

const PRIVATE_NAME =
  /(?:^|\.)(?:internal|local|localdomain|lan|home|home\.arpa|intranet|corp|private|svc|cluster\.local|consul)$/u;

/** Public names of which every name below is an address of this machine. */
const LOOPBACK_NAME = /(?:^|\.)(?:localhost|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com)$/u;

/** Services such as nip.io answer a name with the IPv4 address that is written in it. */
const WRITTEN_IPV4 = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=[.-])/u;
const WRITTEN_HEX = /(?:^|[.-])([0-9a-f]{8})\.(?:nip|sslip)\.io$/u;

const findLiteralKind = (name: string): OwnAddress | undefined => {
  const octets = WRITTEN_IPV4.exec(name)?.slice(1);
  if (octets !== undefined) return findIpv4Kind(toNumber(octets.join('.')));
  const hex = WRITTEN_HEX.exec(name)?.[1];
  return hex === undefined ? undefined : findIpv4Kind(Number.parseInt(hex, 16));
};

const findNameKind = (name: string): OwnAddress | undefined => {
  if (LOOPBACK_NAME.test(name)) return 'loopback';
  if (/^metadata\.(?:google\.internal|goog)$/u.test(name)) return 'link-local';
  return PRIVATE_NAME.test(name) || !name.includes('.') ? 'private' : findLiteralKind(name);
};

/** Returns the kind of a host of a URL that belongs to the own machine or network; `undefined` for a public one. */
export const findOwnAddress = ({ hostname }: Pick<URL, 'hostname'>): OwnAddress | undefined => {
  const host = hostname.replace(/\.$/u, '');
  if (host.startsWith('[')) return findIpv6Kind(parseGroups(host.slice(1, -1)));
  return /^\d+(?:\.\d+){3}$/u.test(host) ? findIpv4Kind(toNumber(host)) : findNameKind(host);
};

export const hasCredentials = (address: string): boolean => {
  if (!URL.canParse(address)) return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/iu.test(address);
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
};
