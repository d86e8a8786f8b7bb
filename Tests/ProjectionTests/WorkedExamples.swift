/// The worked examples of the facts, as they must leave, to the byte.
struct WorkedExample {
  enum Sink { case ios, channel, device }

  var isHockey: Bool
  var event: String
  var sink: Sink
  var bytes: Int
  /// Of the `apns` object, or of FCM's data.
  var payloadBytes: Int
  /// Of content-state alone, and with the attributes; nil on Android.
  var stateBytes: Int?
  var shownBytes: Int?
  var json: String

  var path: String {
    switch sink {
    case .ios:
      "/push/apnsBroadcastChannels/\(isHockey ? "apb_2Vd8sL0pW6" : "apb_7Qm2xR9dK4")/"
        + (event == "update" ? "broadcast" : event)
    case .channel: "/channels/live-android%3A\(isHockey ? "hk-20261206-ngw-lak" : "bb-20261205-riv-har")/messages"
    case .device: "/push/publish"
    }
  }

  static let all: [WorkedExample] = [
    WorkedExample(
      isHockey: false, event: "start", sink: .ios, bytes: 572,
      payloadBytes: 455, stateBytes: 154, shownBytes: 202,
      json: #"""
        {"apns":{"aps":{"timestamp":1796431800,"event":"start","input-push-channel":"bGlzdGVuLWJiLTAx","content-state":{"homeScore":0,"awayScore":0,"gameStatus":"scheduled","period":"Q1","clock":"12:00","lastPlay":"Tip-off soon","clockDir":"stop","clockAnchorMs":0,"seq":1},"attributes-type":"GameAttributes","attributes":{"homeTeam":"Riverton","awayTeam":"Harbor City"},"stale-date":1796433300,"alert":{"title":"Harbor City at Riverton","body":"Tip-off in 10 minutes"}}},"channels":["live-ios:bb-20261205-riv-har"],"headers":{"apns-priority":"10","apns-expiration":"1796432400"}}
        """#),
    WorkedExample(
      isHockey: false, event: "update", sink: .ios,
      bytes: 327, payloadBytes: 263, stateBytes: 173, shownBytes: 221,
      json: #"""
        {"apns":{"aps":{"timestamp":1796440548,"event":"update","content-state":{"homeScore":98,"awayScore":99,"gameStatus":"live","period":"Q4","clock":"1:12","lastPlay":"HAR #11 three-pointer","clockDir":"down","clockAnchorMs":1796440620000,"seq":412},"stale-date":1796440968}},"headers":{"apns-priority":"10","apns-expiration":"0"}}
        """#),
    WorkedExample(
      isHockey: false, event: "end", sink: .ios, bytes: 313,
      payloadBytes: 249, stateBytes: 158, shownBytes: 206,
      json: #"""
        {"apns":{"aps":{"timestamp":1796441040,"event":"end","content-state":{"homeScore":104,"awayScore":101,"gameStatus":"finished","period":"Final","clock":"","lastPlay":"Riverton wins","clockDir":"stop","clockAnchorMs":0,"seq":447},"dismissal-date":1796442840}},"headers":{"apns-priority":"10","apns-expiration":"0"}}
        """#),
    WorkedExample(
      isHockey: false, event: "start", sink: .channel,
      bytes: 515, payloadBytes: 284,
      json: #"""
        [{"id":"bb-20261205-riv-har-1-start:0","name":"live-update","extras":{"push":{"data":{"event":"start","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"0","awayScore":"0","gameStatus":"scheduled","period":"Q1","clock":"12:00","lastPlay":"Tip-off soon","clockDir":"stop","clockAnchorMs":"0","seq":"1","timestamp":"1796431800250","staleAtMs":"1796433300000","alertTitle":"Harbor City at Riverton","alertBody":"Tip-off in 10 minutes"},"fcm":{"priority":"HIGH","ttl":"600s"}}}}]
        """#),
    WorkedExample(
      isHockey: false, event: "start", sink: .device, bytes: 489, payloadBytes: 284,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z3T8Q4V6N2K9B5D7F1G0M"},"data":{"event":"start","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"0","awayScore":"0","gameStatus":"scheduled","period":"Q1","clock":"12:00","lastPlay":"Tip-off soon","clockDir":"stop","clockAnchorMs":"0","seq":"1","timestamp":"1796431800250","staleAtMs":"1796433300000","alertTitle":"Harbor City at Riverton","alertBody":"Tip-off in 10 minutes"},"fcm":{"priority":"HIGH","ttl":"600s"}}
        """#),
    WorkedExample(
      isHockey: false, event: "update", sink: .channel,
      bytes: 463, payloadBytes: 241,
      json: #"""
        [{"id":"bb-20261205-riv-har-412-update:0","name":"live-update","extras":{"push":{"data":{"event":"update","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"98","awayScore":"99","gameStatus":"live","period":"Q4","clock":"1:12","lastPlay":"HAR #11 three-pointer","clockDir":"down","clockAnchorMs":"1796440620000","seq":"412","timestamp":"1796440548250","staleAtMs":"1796440968000"},"fcm":{"priority":"HIGH","ttl":"180s"}}}}]
        """#),
    WorkedExample(
      isHockey: false, event: "update", sink: .device, bytes: 434, payloadBytes: 241,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z3T8Q4V6N2K9B5D7F1G0M"},"data":{"event":"update","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"98","awayScore":"99","gameStatus":"live","period":"Q4","clock":"1:12","lastPlay":"HAR #11 three-pointer","clockDir":"down","clockAnchorMs":"1796440620000","seq":"412","timestamp":"1796440548250","staleAtMs":"1796440968000"},"fcm":{"priority":"HIGH","ttl":"180s"}}
        """#),
    WorkedExample(
      isHockey: false, event: "end", sink: .channel,
      bytes: 444, payloadBytes: 223,
      json: #"""
        [{"id":"bb-20261205-riv-har-447-end:0","name":"live-update","extras":{"push":{"data":{"event":"end","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"104","awayScore":"101","gameStatus":"finished","period":"Final","clock":"","lastPlay":"Riverton wins","clockDir":"stop","clockAnchorMs":"0","seq":"447","timestamp":"1796441040250","staleAtMs":"1796442840000"},"fcm":{"priority":"HIGH","ttl":"14400s"}}}}]
        """#),
    WorkedExample(
      isHockey: false, event: "end", sink: .device, bytes: 418, payloadBytes: 223,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z3T8Q4V6N2K9B5D7F1G0M"},"data":{"event":"end","gameId":"bb-20261205-riv-har","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"104","awayScore":"101","gameStatus":"finished","period":"Final","clock":"","lastPlay":"Riverton wins","clockDir":"stop","clockAnchorMs":"0","seq":"447","timestamp":"1796441040250","staleAtMs":"1796442840000"},"fcm":{"priority":"HIGH","ttl":"14400s"}}
        """#),
    WorkedExample(
      isHockey: true, event: "start", sink: .ios, bytes: 573,
      payloadBytes: 456, stateBytes: 157, shownBytes: 203,
      json: #"""
        {"apns":{"aps":{"timestamp":1796516400,"event":"start","input-push-channel":"bGlzdGVuLWhrLTAy","content-state":{"homeScore":0,"awayScore":0,"gameStatus":"scheduled","period":"1st","clock":"20:00","lastPlay":"Puck drop soon","clockDir":"stop","clockAnchorMs":0,"seq":1},"attributes-type":"GameAttributes","attributes":{"homeTeam":"Northgate","awayTeam":"Lakeside"},"stale-date":1796517900,"alert":{"title":"Lakeside at Northgate","body":"Puck drop in 10 minutes"}}},"channels":["live-ios:hk-20261206-ngw-lak"],"headers":{"apns-priority":"10","apns-expiration":"1796517000"}}
        """#),
    WorkedExample(
      isHockey: true, event: "update", sink: .ios,
      bytes: 404, payloadBytes: 331, stateBytes: 162, shownBytes: 208,
      json: #"""
        {"apns":{"aps":{"timestamp":1796521321,"event":"update","content-state":{"homeScore":2,"awayScore":1,"gameStatus":"live","period":"2nd","clock":"7:41","lastPlay":"NGW #19 power-play goal","clockDir":"stop","clockAnchorMs":0,"seq":203},"stale-date":1796521741,"alert":{"title":"Goal Northgate","body":"Northgate 2, Lakeside 1 (2nd 7:41)"}}},"headers":{"apns-priority":"10","apns-expiration":"1796523121"}}
        """#),
    WorkedExample(
      isHockey: true, event: "end", sink: .ios, bytes: 334,
      payloadBytes: 261, stateBytes: 170, shownBytes: 216,
      json: #"""
        {"apns":{"aps":{"timestamp":1796526420,"event":"end","content-state":{"homeScore":3,"awayScore":2,"gameStatus":"finished","period":"Final/OT","clock":"","lastPlay":"Northgate wins in overtime","clockDir":"stop","clockAnchorMs":0,"seq":388},"dismissal-date":1796528220}},"headers":{"apns-priority":"10","apns-expiration":"1796540820"}}
        """#),
    WorkedExample(
      isHockey: true, event: "start", sink: .channel,
      bytes: 516, payloadBytes: 285,
      json: #"""
        [{"id":"hk-20261206-ngw-lak-1-start:0","name":"live-update","extras":{"push":{"data":{"event":"start","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"0","awayScore":"0","gameStatus":"scheduled","period":"1st","clock":"20:00","lastPlay":"Puck drop soon","clockDir":"stop","clockAnchorMs":"0","seq":"1","timestamp":"1796516400250","staleAtMs":"1796517900000","alertTitle":"Lakeside at Northgate","alertBody":"Puck drop in 10 minutes"},"fcm":{"priority":"HIGH","ttl":"600s"}}}}]
        """#),
    WorkedExample(
      isHockey: true, event: "start", sink: .device, bytes: 490, payloadBytes: 285,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z5R7M2P4X9C6H1T3W8E0K"},"data":{"event":"start","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"0","awayScore":"0","gameStatus":"scheduled","period":"1st","clock":"20:00","lastPlay":"Puck drop soon","clockDir":"stop","clockAnchorMs":"0","seq":"1","timestamp":"1796516400250","staleAtMs":"1796517900000","alertTitle":"Lakeside at Northgate","alertBody":"Puck drop in 10 minutes"},"fcm":{"priority":"HIGH","ttl":"600s"}}
        """#),
    WorkedExample(
      isHockey: true, event: "update", sink: .channel,
      bytes: 529, payloadBytes: 295,
      json: #"""
        [{"id":"hk-20261206-ngw-lak-203-update:0","name":"live-update","extras":{"push":{"data":{"event":"update","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"2","awayScore":"1","gameStatus":"live","period":"2nd","clock":"7:41","lastPlay":"NGW #19 power-play goal","clockDir":"stop","clockAnchorMs":"0","seq":"203","timestamp":"1796521321250","staleAtMs":"1796521741000","alertTitle":"Goal Northgate","alertBody":"Northgate 2, Lakeside 1 (2nd 7:41)"},"fcm":{"priority":"HIGH","ttl":"180s"}}}}]
        """#),
    WorkedExample(
      isHockey: true, event: "update", sink: .device, bytes: 500, payloadBytes: 295,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z5R7M2P4X9C6H1T3W8E0K"},"data":{"event":"update","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"2","awayScore":"1","gameStatus":"live","period":"2nd","clock":"7:41","lastPlay":"NGW #19 power-play goal","clockDir":"stop","clockAnchorMs":"0","seq":"203","timestamp":"1796521321250","staleAtMs":"1796521741000","alertTitle":"Goal Northgate","alertBody":"Northgate 2, Lakeside 1 (2nd 7:41)"},"fcm":{"priority":"HIGH","ttl":"180s"}}
        """#),
    WorkedExample(
      isHockey: true, event: "end", sink: .channel,
      bytes: 454, payloadBytes: 233,
      json: #"""
        [{"id":"hk-20261206-ngw-lak-388-end:0","name":"live-update","extras":{"push":{"data":{"event":"end","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"3","awayScore":"2","gameStatus":"finished","period":"Final/OT","clock":"","lastPlay":"Northgate wins in overtime","clockDir":"stop","clockAnchorMs":"0","seq":"388","timestamp":"1796526420250","staleAtMs":"1796528220000"},"fcm":{"priority":"HIGH","ttl":"14400s"}}}}]
        """#),
    WorkedExample(
      isHockey: true, event: "end", sink: .device, bytes: 428, payloadBytes: 233,
      json: #"""
        {"recipient":{"deviceId":"01JD8Z5R7M2P4X9C6H1T3W8E0K"},"data":{"event":"end","gameId":"hk-20261206-ngw-lak","homeTeam":"Northgate","awayTeam":"Lakeside","homeScore":"3","awayScore":"2","gameStatus":"finished","period":"Final/OT","clock":"","lastPlay":"Northgate wins in overtime","clockDir":"stop","clockAnchorMs":"0","seq":"388","timestamp":"1796526420250","staleAtMs":"1796528220000"},"fcm":{"priority":"HIGH","ttl":"14400s"}}
        """#),
  ]
}
