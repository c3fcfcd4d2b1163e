import { apiListVersion, type ApiObject, type ServedKind } from './api-object.ts';
import type { ApiServerRequest } from './api-request.ts';
import { STATUSES, type ApiStatus } from './api-status.ts';
import type { ObjectHistory } from './object-history.ts';
import { isSelected } from './selectors.ts';

/** What is left of a list, as of the version at which it was begun. */
interface Rest {
  readonly version: number;
  readonly objects: readonly ApiObject[];
}

/** Items of a list do not say what kind they are. */
const itemOf = ({ apiVersion: _apiVersion, kind: _kind, ...item }: ApiObject) => item;

/** Lists page by page. A page token holds until the history is compacted. */
export class ListPages {
  /** The most objects of a page, whatever is asked for. */
  maxPage = Number.POSITIVE_INFINITY;
  readonly #rests = new Map<string, Rest>();
  readonly #history: ObjectHistory;
  #tokens = 0;

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  compact(): void {
    this.#rests.clear();
  }

  read(kind: ServedKind, { namespace, query }: ApiServerRequest): ApiStatus | object {
    const token = query.get('continue');
    const rest = token === null ? undefined : this.#rests.get(token);
    if (token !== null && rest === undefined) return STATUSES.expired();
    const { version, objects } = rest ?? {
      version: this.#history.version,
      objects: this.#history.list(kind, namespace).filter((object) => isSelected(object, query)),
    };
    const asked = Number(query.get('limit') ?? '0') || objects.length;
    const limit = Math.min(asked, this.maxPage);
    const left = objects.slice(limit);
    return {
      apiVersion: apiListVersion(kind),
      kind: `${kind.kind}List`,
      metadata: {
        resourceVersion: String(version),
        ...(left.length === 0
          ? {}
          : { continue: this.#token({ version, objects: left }), remainingItemCount: left.length }),
      },
      items: objects.slice(0, limit).map(itemOf),
    };
  }

  #token(rest: Rest): string {
    this.#tokens += 1;
    const token = Buffer.from(`page ${this.#tokens}`).toString('base64url');
    this.#rests.set(token, rest);
    return token;
  }
}
