// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A BEP-20 token. `payMany` makes several transfers in one transaction, each after another event.
contract Token {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Noted(address indexed by);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        totalSupply = 10 ** 30;
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function payMany(address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < to.length; i++) {
            emit Noted(msg.sender);
            move(msg.sender, to[i], values[i]);
        }
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Sends all that it has of a token: the same transaction moves another amount in another block.
contract Sweeper {
    function sweep(Token token, address to) external {
        token.transfer(to, token.balanceOf(address(this)));
    }
}

/// A token that takes a fee of a tenth of each transfer, and refuses a transfer of more than 100. The words with which it
/// refuses one of more than 1000 are those of an endpoint that limits the rate.
contract Taxed {
    string public constant symbol = "TAX";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address owner) {
        balanceOf[owner] = 10 ** 24;
        emit Transfer(address(0), owner, 10 ** 24);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= 1000 ether, "Daily transfer quota exceeded");
        require(value <= 100 ether, "TAX: more than 100");
        allowance[from][msg.sender] -= value;
        uint256 fee = value / 10;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        balanceOf[address(this)] += fee;
        emit Transfer(from, to, value - fee);
        emit Transfer(from, address(this), fee);
        return true;
    }
}

/// A token whose transferFrom takes some 400,000 gas, or with a greater amount more than 1,000,000.
contract Costly {
    string public constant symbol = "COST";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256[] private notes;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(address owner) {
        balanceOf[owner] = 10 ** 24;
        emit Transfer(address(0), owner, 10 ** 24);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        for (uint256 i = 0; i < (value > 100 ether ? 60 : 15); i++) notes.push(value);
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// A token that shares a fee among all holders: balances grow without transfers.
contract Reflecting {
    string public symbol = "RFI";
    uint8 public immutable decimals = 18;
    uint256 public rate = 1;
    mapping(address => uint256) private shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        shares[msg.sender] = 10 ** 24;
    }

    function totalSupply() external view returns (uint256) {
        return 10 ** 24 * rate;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return tokenFromReflection(shares[owner]);
    }

    function tokenFromReflection(uint256 amount) public view returns (uint256) {
        return amount * rate;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        shares[msg.sender] -= value / rate;
        shares[to] += value / rate;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function share() external {
        rate *= 2;
    }
}

/// A token whose balances change without transfers, and whose functions do not show it.
contract Elastic {
    string public symbol = "ELA";
    uint8 public immutable decimals = 18;
    uint256 internal rate = 100;
    uint256 internal total;
    mapping(address => uint256) internal shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address owner) external view returns (uint256) {
        return (shares[owner] * rate) / 100;
    }

    function give(address to, uint256 value) external {
        shares[to] += (value * 100) / rate;
        total += (value * 100) / rate;
        emit Transfer(msg.sender, to, value);
    }

    function change(uint256 percent) external {
        rate = (rate * percent) / 100;
    }
}

/// An elastic token that says its supply, and that can pay without an event.
contract Rebasing is Elastic {
    function totalSupply() external view returns (uint256) {
        return (total * rate) / 100;
    }

    function hide(address from, address to, uint256 value) external {
        shares[from] -= (value * 100) / rate;
        shares[to] += (value * 100) / rate;
    }
}

/// A price feed that returns the price that was set by `tell`.
contract Feed {
    uint8 public immutable decimals = 8;
    int256 private price;
    uint256 private told;

    function tell(int256 price_) external {
        price = price_;
        told = block.timestamp;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, price, told, told, 1);
    }
}

/// Moves tokens that were approved, and emits an event with much data in the same transaction. Passes on coin.
contract Noise {
    event Noised(bytes data);

    function passOn(address payable to) external payable {
        to.transfer(msg.value);
    }

    function pay(Token token, address to, uint256 value, uint256 size) external {
        token.transferFrom(msg.sender, to, value);
        emit Noised(new bytes(size));
    }
}

/// A token that emits transfers of the highest amount, and whose balances cannot be read once it is broken.
contract Hostile {
    bool private broken;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function give(address to) external {
        emit Transfer(msg.sender, to, type(uint256).max);
    }

    function breakDown() external {
        broken = true;
    }

    function balanceOf(address) external view returns (uint256) {
        require(!broken);
        return 7;
    }
}

/// Exchanges coins for tokens that it holds, and back, at a price in tokens for a coin.
contract Pair {
    Token public immutable token;
    uint256 public immutable price;

    constructor(Token token_, uint256 price_) payable {
        token = token_;
        price = price_;
    }

    function buy() external payable {
        token.transfer(msg.sender, msg.value * price);
    }

    function sell(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        payable(msg.sender).transfer(amount / price);
    }

    /// Sells tokens of the sender, and sends a part of the coins to each recipient.
    function sellFor(uint256 amount, address payable[] calldata to) external {
        token.transferFrom(msg.sender, address(this), amount);
        for (uint256 i = 0; i < to.length; i++) to[i].transfer(amount / price / to.length);
    }

    /// Sends tokens to any address: the side of an exchange that pays out, or a gift.
    function payOut(address to, uint256 amount) external {
        token.transfer(to, amount);
    }

    receive() external payable {}
}

/// A multi-signature wallet, as far as payments are concerned: anyone executes a payment that was agreed.
contract Safe {
    event SafeReceived(address indexed sender, uint256 value);
    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);

    receive() external payable {
        emit SafeReceived(msg.sender, msg.value);
    }

    function execTransaction(address to, uint256 value, bytes calldata data) external {
        (bool done, ) = to.call{value: value}(data);
        require(done);
        emit ExecutionSuccess(0, 0);
    }
}

/// Pays many at once, and ends by sending all it has.
contract Payer {
    function payMany(address payable[] calldata to, uint256[] calldata values) external payable {
        for (uint256 i = 0; i < to.length; i++) to[i].transfer(values[i]);
    }

    function end(address payable to) external payable {
        selfdestruct(to);
    }
}

/// The wrapped coin: a deposit and a withdrawal emit no transfer.
contract Wrapped {
    string public symbol = 'WBNB';
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed to, uint256 value);
    event Withdrawal(address indexed from, uint256 value);
    event Transfer(address indexed from, address indexed to, uint256 value);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        payable(msg.sender).transfer(value);
        emit Withdrawal(msg.sender, value);
    }

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }
}

/// A public list of addresses, as sanctions oracles have it.
contract List {
    mapping(address => bool) public isSanctioned;

    function set(address who, bool listed) external {
        isSanctioned[who] = listed;
    }
}
