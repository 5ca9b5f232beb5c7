/** Names and types of uploads, without a server. */

import t from 'tap'
import { detectContentType, isInlineType } from '../../server/domain/files/content-types.ts'
import { cleanFileName, keyOfPath, uploadPath } from '../../server/domain/files/uploads.ts'

t.test(
  '[UPLOAD8] a file name loses folders, control characters and direction marks, and nothing else',
  async (t) => {
    for (const [given, clean] of [
      ['notes.txt', 'notes.txt'],
      ['/home/me/notes.txt', 'notes.txt'],
      ['C:\\Users\\me\\notes.txt', 'notes.txt'],
      ['../../etc/passwd', 'passwd'],
      ['Größe 日本語 🎉.pdf', 'Größe 日本語 🎉.pdf'],
      ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie: x.txt'],
      ['a\0b\x7f.txt', 'ab.txt'],
      ['photo\u202egnp.exe', 'photognp.exe'],
      ['a\u2066b\u200bc\ufeff', 'abc'],
      ['  spaced \t out  ', 'spaced out'],
      ['', 'uploaded-file'],
      ['..', 'uploaded-file'],
      ['x/', 'uploaded-file'],
      ['\ud800.txt', '\ufffd.txt'],
    ] as const) {
      t.equal(cleanFileName(given), clean, JSON.stringify(given))
      t.equal(cleanFileName(clean), clean, 'once more it is the same')
    }
    const long = cleanFileName(`${'ä'.repeat(300)}.tar.gz`)
    t.equal(Array.from(long).length, 255)
    t.ok(long.endsWith('ä.gz'))
  },
)

t.test('[UPLOAD9] a file name in an address keeps its letters and no special characters', async (t) => {
  const key = 'ab/RANDOM'
  for (const [name, slug] of [
    ['Größe 日本語.pdf', 'Größe-日本語.pdf'],
    ['a?b#c%d&e=f<g>"h\'(i)[j]{k}|l`m^n~o.txt', 'abcdefghijklmno.txt'],
    ['...hidden', 'hidden'],
    ['🎉', 'uploaded-file'],
    ['a - b', 'a-b'],
  ] as const) {
    t.equal(uploadPath(key, name), `1/${key}/${slug}`)
    t.equal(keyOfPath(uploadPath(key, name)), key)
  }
  t.equal(uploadPath(key, `${'x'.repeat(300)}.txt`).length, `1/${key}/`.length + 100)
})

const bytes = (text: string) => Buffer.from(text, 'latin1')

t.test('[UPLOAD10] the first bytes decide the type of a file', async (t) => {
  for (const [head, type] of [
    [bytes('\x89PNG\r\n\x1a\nrest'), 'image/png'],
    [bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
    [bytes('GIF89a'), 'image/gif'],
    [bytes('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
    [bytes('RIFF\0\0\0\0WAVEfmt '), 'audio/wav'],
    [bytes('RIFF\0\0\0\0AVI '), 'application/octet-stream'],
    [bytes('\0\0\0\x20ftypavif'), 'image/avif'],
    [bytes('\0\0\0\x20ftypisom'), 'video/mp4'],
    [bytes('\0\0\0\x20ftypM4A '), 'audio/mp4'],
    [bytes('\0\0\0\x20ftypqt  '), 'video/quicktime'],
    [bytes('\0\0\0\x20ftypxxxx'), 'application/octet-stream'],
    [bytes('\x1a\x45\xdf\xa3....webm'), 'video/webm'],
    [bytes('\x1a\x45\xdf\xa3....matroska'), 'video/x-matroska'],
    [bytes('ID3\x04'), 'audio/mpeg'],
    [bytes('\xff\xfb\x90'), 'audio/mpeg'],
    [bytes('\xff\xf1\x50'), 'audio/aac'],
    [bytes('fLaC'), 'audio/flac'],
    [bytes('OggS..vorbis'), 'audio/ogg'],
    [bytes('OggS..theora'), 'video/ogg'],
    [bytes('%PDF-1.7'), 'application/pdf'],
    [bytes('PK\x03\x04'), 'application/zip'],
    [Buffer.from('Grüße, 日本語\n'), 'text/plain; charset=utf-8'],
    [bytes('caf\xe9'), 'application/octet-stream'],
    [bytes('a\0b'), 'application/octet-stream'],
    [bytes(''), 'application/octet-stream'],
  ] as const) {
    t.equal(detectContentType(head), type, JSON.stringify(head.toString('latin1')))
  }
  const cut = Buffer.from('é'.repeat(3000)).subarray(1, 4097)
  t.equal(
    detectContentType(Buffer.concat([Buffer.from('a'), cut.subarray(1)])),
    'text/plain; charset=utf-8',
    'a cut character',
  )
})

t.test('[UPLOAD11] content that a browser might run is never shown inline', async (t) => {
  for (const page of [
    '<script>alert(1)</script>',
    '\ufeff  \n<!DOCTYPE html>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '<?xml version="1.0"?>',
    '<HTML>',
    '%PDF-1.7',
  ]) {
    t.notOk(isInlineType(detectContentType(Buffer.from(page))), page)
  }
  for (const type of ['text/html', 'image/svg+xml', 'application/javascript', 'text/plain', '']) {
    t.notOk(isInlineType(type), type)
  }
})
