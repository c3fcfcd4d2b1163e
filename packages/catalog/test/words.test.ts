import { describe, expect, it } from 'vitest';
import { toStem, listSearchWords } from '../src/words.ts';

describe('the words of a text', () => {
  it.each([
    ['x_k8s_get-pod.log', ['x', 'k8s', 'get', 'pod', 'log']],
    ['readTextFile2Disk', ['read', 'text', 'file2', 'disk', 'readtextfile2disk']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['getURLs', ['get', 'url', 'geturl']],
    ['One. Two,three\nfour', ['one', 'two', 'thre', 'four']],
    ['Straße ÉCOLE', ['strass', 'ecol']],
    ['ｆｕｌｌ width', ['full', 'width']],
    ['查询12306余票', ['查询', '12306', '余票']],
    ['株', ['株']],
    ['', []],
    ['🚀 _-.', []],
  ])('%s', (text, words) => expect(listSearchWords(text)).toEqual(words));

  it('are cut after 64 characters', () =>
    expect(listSearchWords('q'.repeat(100))).toEqual(['q'.repeat(64)]));
});

describe('stems', () => {
  it.each([
    ['files', 'file'],
    ['queries', 'query'],
    ['directories', 'directory'],
    ['boxes', 'box'],
    ['branches', 'branch'],
    ['lists', 'listing'],
    ['deleted', 'delete'],
    ['deleting', 'deletes'],
    ['running', 'runs'],
    ['copies', 'copied'],
    ['creates', 'creating'],
  ])('bring %s and %s together', (a, b) => expect(toStem(a)).toBe(toStem(b)));

  it.each([
    ['status', 'status'],
    ['class', 'class'],
    ['basis', 'basis'],
    ['string', 'string'],
    ['thing', 'thing'],
    ['bed', 'bed'],
    ['need', 'need'],
    ['is', 'is'],
    ['', ''],
  ])('leave %s', (word, stem) => expect(toStem(word)).toBe(stem));

  it.each([
    ['list', 'lost'],
    ['port', 'report'],
    ['user', 'use'],
  ])('keep %s and %s apart', (a, b) => expect(toStem(a)).not.toBe(toStem(b)));
});
