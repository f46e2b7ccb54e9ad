package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed static all:dist
var files embed.FS

// embedded are the assets of the program. To read them takes a tenth of a second, most of it to compress them.
var embedded = sync.OnceValues(func() (map[string]*asset, error) { return readAssets(files) })

// hashDigits is the number of digits of a content's SHA-256 in addresses: 48
// bits distinguish the builds of a file.
const hashDigits = 12

// minCompressed is the size in bytes below which compression saves nothing.
const minCompressed = 1 << 10

// minZipped is the size in bytes of a gzip file without content: its header, an empty block and its trailer.
const minZipped = 10 + 2 + 8

// types maps the extensions of served files to their content types. A file with
// any other extension is a mistake and prevents the start.
var types = map[string]struct {
	contentType string
	text        bool
}{
	".css":         {"text/css; charset=utf-8", true},
	".html":        {"text/html; charset=utf-8", true},
	".js":          {"text/javascript; charset=utf-8", true},
	".json":        {"application/json", true},
	".svg":         {"image/svg+xml", true},
	".webmanifest": {"application/manifest+json", true},
	".png":         {"image/png", false},
	".wasm":        {"application/wasm", false},
	".woff2":       {"font/woff2", false},
}

// asset is a file with its encodings. raw is nil if only encoded forms were
// built; gzip is then decompressed for the few clients that accept neither.
type asset struct {
	name        string
	contentType string
	hash        string // of raw, or else of gz
	size        int    // size of the decoded content, in bytes
	raw         []byte
	br, gz      []byte
}

// readAssets reads the folders static and dist of tree; a name in both is an
// error.
func readAssets(tree fs.FS) (map[string]*asset, error) {
	assets := map[string]*asset{}
	for _, dir := range []string{"static", "dist"} {
		err := fs.WalkDir(tree, dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			src, err := fs.ReadFile(tree, file)
			if err != nil {
				return err
			}
			return addFile(assets, strings.TrimPrefix(file, dir+"/"), src)
		})
		if err != nil {
			return nil, fmt.Errorf("read web files: %w", err)
		}
	}
	if icons, tokens := assets["icons.svg"], assets["tokens.css"]; icons != nil && tokens != nil {
		css, err := cardIcons(icons.raw, tokens.raw)
		if err != nil {
			return nil, err
		}
		if err := addFile(assets, cardIconsName, css); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		if err := assets[name].finish(); err != nil {
			return nil, fmt.Errorf("read web file %s: %w", name, err)
		}
	}
	return assets, nil
}

func addFile(assets map[string]*asset, name string, src []byte) error {
	name, encoding := splitEncoding(name)
	kind, ok := types[path.Ext(name)]
	if !ok {
		return fmt.Errorf("%s: no content type is known for its extension", name)
	}
	a := assets[name]
	if a == nil {
		a = &asset{name: name, contentType: kind.contentType}
		assets[name] = a
	}
	form := map[string]*[]byte{"": &a.raw, "br": &a.br, "gzip": &a.gz}[encoding]
	if *form != nil {
		return fmt.Errorf("%s: occurs in both folders", name)
	}
	*form = src
	return nil
}

func splitEncoding(name string) (plain, encoding string) {
	if plain, ok := strings.CutSuffix(name, ".br"); ok {
		return plain, "br"
	}
	if plain, ok := strings.CutSuffix(name, ".gz"); ok {
		return plain, "gzip"
	}
	return name, ""
}

// finish hashes the content and compresses text once, at the start. Our own text files are small; the build compresses the large ones, and
// their compressed form is hashed: to decompress them would be most of the time that a start takes.
func (a *asset) finish() error {
	content := a.raw
	a.size = len(a.raw)
	if a.raw == nil {
		content = a.gz
		var err error
		if a.size, err = unzippedSize(a.gz); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(content)
	a.hash = hex.EncodeToString(sum[:])[:hashDigits]
	if types[path.Ext(a.name)].text && a.gz == nil && len(a.raw) >= minCompressed {
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(a.raw); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		a.gz = out.Bytes()
	}
	return nil
}

// url returns the address of this content, which never changes.
func (a *asset) url() string { return "/web/" + a.name + "?v=" + a.hash }

// unzippedSize reads the size of the content from the last four bytes of a gzip file (RFC 1952, section 2.3.1), which suffice below 4 GiB.
func unzippedSize(src []byte) (int, error) {
	if src == nil {
		return 0, errors.New("only its brotli form is there, build it again")
	}
	if _, err := gzip.NewReader(bytes.NewReader(src)); err != nil {
		return 0, err
	}
	if len(src) < minZipped {
		return 0, io.ErrUnexpectedEOF
	}
	return int(binary.LittleEndian.Uint32(src[len(src)-4:])), nil
}

func unzip(w io.Writer, src []byte) (int64, error) {
	z, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return 0, err
	}
	// Our own build created it, so it is not a decompression bomb.
	return io.Copy(w, z) //nolint:gosec // see above
}
