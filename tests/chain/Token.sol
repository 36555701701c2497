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
