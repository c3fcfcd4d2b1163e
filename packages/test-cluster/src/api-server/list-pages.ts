import { apiListVersion, type ApiObject, type ServedKind } from './api-object.ts';
import type { ApiServerRequest } from './api-request.ts';
import { STATUSES, type ApiStatus } from './api-status.ts';
import type { ObjectHistory } from './object-history.ts';
import { isSelected } from './selectors.ts';

/** The remaining items of a list, at the version of its first page. */
interface Remainder {
  readonly version: number;
  readonly objects: readonly ApiObject[];
}

/** Returns an object without `apiVersion` and `kind`, which items of a list omit. */
const itemOf = ({ apiVersion: _apiVersion, kind: _kind, ...item }: ApiObject) => item;

/** Lists objects in pages. A page token is valid until the history is compacted. */
export class ListPages {
  /** The maximum number of objects of a page, independent of the requested limit. */
  maxPage = Number.POSITIVE_INFINITY;
  readonly #remainders = new Map<string, Remainder>();
  readonly #history: ObjectHistory;
  #tokens = 0;

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  compact(): void {
    this.#remainders.clear();
  }

  read(kind: ServedKind, { namespace, query }: ApiServerRequest): ApiStatus | object {
    const token = query.get('continue');
    const remainder = token === null ? undefined : this.#remainders.get(token);
    if (token !== null && remainder === undefined) return STATUSES.expired();
    const { version, objects } = remainder ?? {
      version: this.#history.version,
      objects: this.#history.list(kind, namespace).filter((object) => isSelected(object, query)),
    };
    const requested = Number(query.get('limit') ?? '0') || objects.length;
    const limit = Math.min(requested, this.maxPage);
    const remaining = objects.slice(limit);
    return {
      apiVersion: apiListVersion(kind),
      kind: `${kind.kind}List`,
      metadata: {
        resourceVersion: String(version),
        ...(remaining.length === 0
          ? {}
          : {
              continue: this.#token({ version, objects: remaining }),
              remainingItemCount: remaining.length,
            }),
      },
      items: objects.slice(0, limit).map(itemOf),
    };
  }

  #token(remainder: Remainder): string {
    this.#tokens += 1;
    const token = Buffer.from(`page ${this.#tokens}`).toString('base64url');
    this.#remainders.set(token, remainder);
    return token;
  }
}
