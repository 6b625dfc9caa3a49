#!/usr/bin/env bash
# github.com/boombuler/barcode 1.1.0 (Go), read by ZXing 3.5.3 (Maven Central) and zxing-cpp 3.1.1 (PyPI).
# A boarding pass on paper has its data as PDF417 (IATA resolution 792). The ends of the rows of such a code tell, in turn, how many rows there
# are, as (rows - 1) div 3 (ISO/IEC 15438, row indicators). At the right the library writes that, at the left (rows - 3) div 3, which is the
# same only where the number of rows can be divided by three. One cannot choose it, it follows from the length of the data: of the passes of
# one passenger, from the shortest that there is (60 characters) on, two out of three cannot be read, and whose they are depends on how much
# the airline adds. Two readers refuse the same ones. Nothing is raised, and the same passes as Aztec, by the same library, are all read.
# Issue 93 of the project (July 2026) has the line of code. The pass is made up, with 0 to 59 characters of the airline's own. Seen:
#   14 rows, of 1: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 1 are read
#   15 rows, of 5: as PDF417 ZXing reads 5, zxing-cpp 5; as Aztec 5 are read
#   16 rows, of 22: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 22 are read
#   17 rows, of 14: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 14 are read
#   18 rows, of 14: as PDF417 ZXing reads 14, zxing-cpp 14; as Aztec 14 are read
#   19 rows, of 4: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 4 are read
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet zxing-cpp==3.1.1 pillow==13.0.0
cat >go.mod <<'MOD'
module seen

go 1.24

require github.com/boombuler/barcode v1.1.0
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/aztec"
	"github.com/boombuler/barcode/pdf417"
)

// save writes a code with four pixels a module and a quiet zone of four modules.
func save(name string, code barcode.Barcode, err error) {
	if err != nil {
		panic(err)
	}
	size := code.Bounds()
	picture := image.NewGray(image.Rect(0, 0, (size.Dx()+8)*4, (size.Dy()+8)*4))
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			picture.Set(x, y, color.White)
			if module := image.Pt(x/4-4, y/4-4); module.In(size) {
				picture.Set(x, y, code.At(module.X, module.Y))
			}
		}
	}
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if err := png.Encode(file, picture); err != nil {
		panic(err)
	}
}

func main() {
	for n, pass := range os.Args[1:] {
		paper, err := pdf417.Encode(pass, 3)
		save(fmt.Sprintf("paper-%02d.png", n), paper, err)
		phone, err := aztec.Encode([]byte(pass), 33, 0)
		save(fmt.Sprintf("phone-%02d.png", n), phone, err)
		fmt.Println(paper.Bounds().Dy() / 2) // a row is two modules high
	}
}
GO
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>seen</groupId>
  <artifactId>seen</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.google.zxing</groupId>
      <artifactId>javase</artifactId>
      <version>3.5.3</version>
    </dependency>
  </dependencies>
</project>
XML
cat >Read.java <<'JAVA'
import com.google.zxing.BinaryBitmap;
import com.google.zxing.DecodeHintType;
import com.google.zxing.ReaderException;
import com.google.zxing.client.j2se.BufferedImageLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.pdf417.PDF417Reader;
import java.io.File;
import java.util.Map;
import javax.imageio.ImageIO;

public class Read {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            var picture = new BufferedImageLuminanceSource(ImageIO.read(new File(name)));
            try {
                var bitmap = new BinaryBitmap(new HybridBinarizer(picture));
                System.out.println(new PDF417Reader().decode(bitmap, Map.of(DecodeHintType.TRY_HARDER, true)).getText());
            } catch (ReaderException refused) {
                System.out.println(refused.getClass().getSimpleName());
            }
        }
    }
}
JAVA
cat >check.py <<'PY'
import subprocess
from collections import Counter
from glob import glob

import zxingcpp
from PIL import Image

FLIGHT = "M1DESMARAIS/LUC       EABC123 YULFRAAC 0834 226F001A0025 1"


def of_airline(count):
    """The conditional part: its length, version 6, two empty parts of the standard and the airline's own text."""
    text = ">60000" + ("KEEP YOUR SEAT BELT FASTENED " * 3)[:count] if count else ""
    return f"{len(text):02X}{text}"


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def read(name):
    return [code.text for code in zxingcpp.read_barcodes(Image.open(name))]


passes = [FLIGHT + of_airline(count) for count in range(60)]
rows = lines("./seen", *passes)
papers, phones = sorted(glob("paper-*.png")), sorted(glob("phone-*.png"))
java = lines("java", "-cp", "lib/*", "Read.java", *papers)
all_of = Counter(rows)
zxing = Counter(row for row, text, right in zip(rows, java, passes) if text == right)
cpp = Counter(row for row, name, right in zip(rows, papers, passes) if read(name) == [right])
aztec = Counter(row for row, name, right in zip(rows, phones, passes) if read(name) == [right])
for row in sorted(all_of):
    print(f"{row} rows, of {all_of[row]}: as PDF417 ZXing reads {zxing[row]}, zxing-cpp {cpp[row]}; as Aztec {aztec[row]} are read")
PY
go build -mod=mod -o seen .
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=lib
venv/bin/python check.py | tee seen.txt
diff seen.txt - <<'SEEN'
14 rows, of 1: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 1 are read
15 rows, of 5: as PDF417 ZXing reads 5, zxing-cpp 5; as Aztec 5 are read
16 rows, of 22: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 22 are read
17 rows, of 14: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 14 are read
18 rows, of 14: as PDF417 ZXing reads 14, zxing-cpp 14; as Aztec 14 are read
19 rows, of 4: as PDF417 ZXing reads 0, zxing-cpp 0; as Aztec 4 are read
SEEN
