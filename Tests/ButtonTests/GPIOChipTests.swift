import Platform
import Testing

@Suite struct GPIOChipTests {
  private static let expander = GPIOChips.Chip(
    path: "/dev/gpiochip0", label: "raspberrypi-exp-gpio", lineNames: ["BT_ON", "", "GPIO40"])
  private static let header = GPIOChips.Chip(
    path: "/dev/gpiochip4", label: "pinctrl-rp1", lineNames: ["ID_SDA", "ID_SCL", "GPIO2", "GPIO3"])

  private func settings(_ line: GPIOLineSettings.Line, chip: String? = nil) -> GPIOLineSettings {
    GPIOLineSettings(name: "home+1", chip: chip, line: line, isActiveLow: true, direction: .input(.pullUp))
  }

  @Test("B10: a line is found by its name, or by its chip's label, whichever number the chip has, which is told")
  func renumbered() throws {
    var swapped = [Self.expander, Self.header]
    swapped[0].path = "/dev/gpiochip4"
    swapped[1].path = "/dev/gpiochip0"
    for chips in [[Self.expander, Self.header], swapped] {
      let known = GPIOChips(chips: chips)
      let byName = try known.place(of: settings(.name("GPIO3")))
      let byLabel = try known.place(of: settings(.offset(3), chip: "pinctrl-rp1"))
      #expect(byName.path == chips[1].path)
      #expect(byName.offset == 3)
      #expect(byName.warning == nil)
      #expect(byLabel == byName)
      #expect(byName.description == "pinctrl-rp1 3 on \(chips[1].path)")
    }
  }

  @Test("B10: a bare number is a fallback, and says which chip that is now", arguments: ["4", "gpiochip4"])
  func bareNumber(chip: String) throws {
    let place = try GPIOChips(chips: [Self.expander, Self.header]).place(of: settings(.offset(2), chip: chip))
    #expect(place.label == "pinctrl-rp1")
    #expect(place.warning?.contains("pinctrl-rp1") == true)
  }

  @Test("what cannot be found is answered with what there is")
  func notFound() {
    let chips = GPIOChips(chips: [Self.expander, Self.header])
    func reason(_ wanted: GPIOLineSettings) -> String {
      do throws(PlatformError) {
        _ = try chips.place(of: wanted)
        return "found"
      } catch { return error.description }
    }
    #expect(reason(settings(.name("GPIO99"))).contains("pinctrl-rp1 with 4 lines (ID_SDA, ID_SCL, GPIO2, …)"))
    #expect(reason(settings(.name("GPIO3"), chip: "pinctrl-bcm2711")).contains("no chip is called pinctrl-bcm2711"))
    #expect(reason(settings(.offset(9), chip: "pinctrl-rp1")).contains("only 4 lines (offsets go from 0 to 3"))
    #expect(reason(settings(.name("x"), chip: "/dev/gpiochip9")).contains("there is no /dev/gpiochip9"))
  }

  @Test("a name that several lines have is refused, and so is a label that several chips have, with where they are")
  func ambiguous() throws {
    var second = Self.header
    second.label = "other"
    let chips = GPIOChips(chips: [Self.header, second])
    #expect(throws: PlatformError.self) { try chips.place(of: settings(.name("GPIO2"))) }
    #expect(try chips.place(of: settings(.name("GPIO2"), chip: "other")).label == "other")
    second.label = Self.header.label
    second.path = "/dev/gpiochip5"
    let twins = GPIOChips(chips: [Self.header, second])
    #expect(throws: PlatformError.self) { try twins.place(of: settings(.offset(2), chip: "pinctrl-rp1")) }
    #expect(try twins.place(of: settings(.offset(2), chip: "/dev/gpiochip5")).path == "/dev/gpiochip5")
  }

  @Test("the kernel's announcements of chips are understood, and all others passed over")
  func announcements() {
    func change(_ fields: String...) -> ChipMonitor.Change? {
      ChipMonitor.change(in: Array(fields.joined(separator: "\0").utf8)[...])
    }
    #expect(
      change("add@/devices/x/gpiochip4", "ACTION=add", "SUBSYSTEM=gpio", "DEVNAME=gpiochip4")
        == .added(path: "/dev/gpiochip4"))
    #expect(
      change("remove@/devices/x/gpiochip4", "ACTION=remove", "SUBSYSTEM=gpio", "DEVNAME=gpiochip4")
        == .removed(path: "/dev/gpiochip4"))
    #expect(change("add@/devices/x", "ACTION=add", "SUBSYSTEM=usb", "DEVNAME=bus/usb/001/002") == nil)
    #expect(change("bind@/devices/x", "ACTION=bind", "SUBSYSTEM=gpio", "DEVNAME=gpiochip4") == nil)
    #expect(change("", "=", "SUBSYSTEM") == nil)
  }
}
